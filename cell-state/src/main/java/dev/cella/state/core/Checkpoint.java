package dev.cella.state.core;

import java.util.List;

/**
 * The whole of a replica's durable state at one place in the log, but for the cold rows, as a store has read it: its head
 * and its hot tables, page after page in the order in which they are loaded.
 */
public record Checkpoint(CheckpointHead head, List<byte[]> hot) {}
