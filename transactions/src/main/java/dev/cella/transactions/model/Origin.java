package dev.cella.transactions.model;

/**
 * The transaction that something came from: a placement, a machine's last claim, a lost conflict's winner. One object a
 * transaction, shared by all rows that it wrote. {@code session} is 0 for a transaction without one.
 */
public record Origin(TransactionId transaction, String scheduler, long session, long version) {}
