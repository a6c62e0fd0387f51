package dev.cella.state.core;

import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;

/** The position and version of a checkpoint, and the digest that its tables must have after loading. */
public record CheckpointHead(
        CellName cell,
        Incarnation incarnation,
        LogPosition position,
        CellVersion version,
        CellTime cellTime,
        int featureLevel,
        long digest) {}
