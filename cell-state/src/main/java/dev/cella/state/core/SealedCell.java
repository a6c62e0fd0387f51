package dev.cella.state.core;

/** What a checkpoint is to be made of, but for the cold rows: taken between two entries, written by the persister's thread. */
public record SealedCell(CheckpointHead head, HotPages pages) {}
