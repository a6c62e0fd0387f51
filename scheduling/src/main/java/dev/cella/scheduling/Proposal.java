package dev.cella.scheduling;

import dev.cella.transactions.model.Transaction;

/**
 * A transaction that a plan wants to commit, and its cell. Made by {@link PlanningView#propose}.
 *
 * @param cell the place of the cell
 */
public record Proposal(int cell, Transaction transaction) {}
