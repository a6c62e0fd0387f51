package dev.cella.state.core;

import java.util.List;

/**
 * The whole of a replica's durable state at one place in the log, but for the cold rows: its head and its hot tables, page
 * after page. Of a running cell a page is made into bytes when it is read, so that this is done by who writes them.
 */
public record Checkpoint(CheckpointHead head, List<byte[]> hot) {}
