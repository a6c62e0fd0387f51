package dev.cella.transactions.cell;

import dev.cella.transactions.model.SessionId;

/** One open session: the instance of a scheduler that may commit under its number. */
public record SessionRow(
        SessionId id, String scheduler, String instance, String type, long leaseMillis, long changedVersion) {}
