package dev.cella.scheduling;

import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Transaction;

/** A transaction that a plan wants committed, and the cell it is for. Made by {@link PlanningView#propose}. */
public record Proposal(CellName cell, Transaction transaction) {}
