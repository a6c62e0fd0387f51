package dev.cella.state.core;

import java.util.List;

/**
 * A replica's durable state at one place in the log, without the cold rows, as a store has read it: its head and its hot
 * tables, page after page in loading order.
 */
public record Checkpoint(CheckpointHead head, List<byte[]> hot) {}
