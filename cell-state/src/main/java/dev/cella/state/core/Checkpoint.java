package dev.cella.state.core;

import java.util.List;

/** The whole of a replica's durable state at one place in the log, but for the cold rows: its head and its hot tables. */
public record Checkpoint(CheckpointHead head, List<byte[]> hot) {
    public Checkpoint {
        hot = List.copyOf(hot);
    }
}
