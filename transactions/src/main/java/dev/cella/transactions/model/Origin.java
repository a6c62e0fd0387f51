package dev.cella.transactions.model;

/**
 * The transaction behind a row: a placement, a machine's last claim, the winner of a conflict. All rows that a transaction
 * wrote share one object. {@code session} is 0 for a transaction without a session.
 */
public record Origin(TransactionId transaction, String scheduler, long session, long version) {}
