package dev.cella.state.core;

import java.util.concurrent.Executor;

/**
 * The threads of one replica besides its log's own apply thread. A simulation uses one single-threaded queue for all.
 *
 * @param batcher runs one task at a time, in order: packs entries and proposes them
 * @param answers completes the futures of callers and feed readers
 * @param persister runs one task at a time, in order: writes checkpoints
 */
public record Threads(Executor batcher, Executor answers, Executor persister) {}
