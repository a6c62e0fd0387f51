package dev.cella.state.core;

/**
 * How a replica leaves its process when it cannot go on: its log or its store failed, or the state contradicts itself. Going
 * on would be worse, because a replica that has lost a write gives wrong answers. The main's departure prints the message and
 * halts; a test's departure records it.
 */
@FunctionalInterface
public interface Departure {
    /** Any thread may call this, and more than once. */
    void leave(String message, Throwable cause);
}
