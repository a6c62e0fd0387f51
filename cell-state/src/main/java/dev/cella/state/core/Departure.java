package dev.cella.state.core;

/**
 * How a replica leaves its process when it cannot go on: its log or its store failed, or the state contradicts itself.
 * Going on would be worse: a replica that has lost a write answers with things that are not so. The main gives one that
 * prints the message and halts; a test gives one that remembers.
 */
@FunctionalInterface
public interface Departure {
    /** May be called from any thread, and more than once. */
    void leave(String message, Throwable cause);
}
