package dev.cella.planted.transactions.cell.tables;

public final class Tables {}
