package dev.cella.scheduler.batch.megha;

/**
 * The turns of a global master: which cell's partition it looks in first for the next task.
 *
 * @param nextInternal counts the tasks that went to its own partitions
 * @param nextExternal counts the repartitions
 */
record MeghaMemory(int nextInternal, int nextExternal) {
    static final MeghaMemory START = new MeghaMemory(0, 0);
}
