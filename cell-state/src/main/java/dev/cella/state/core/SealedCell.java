package dev.cella.state.core;

/**
 * The content of a checkpoint without the cold rows: taken between two entries, written by the persister's thread.
 */
public record SealedCell(CheckpointHead head, HotPages pages) {}
