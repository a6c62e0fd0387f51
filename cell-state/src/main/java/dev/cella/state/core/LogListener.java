package dev.cella.state.core;

/**
 * What a replica does with its log. {@link #committed} and {@link #passed} are called by the log's one apply thread, in
 * the order of the log; the others from any thread, and none of them may wait.
 */
public interface LogListener {
    /** Every replica is told of every committed entry once, in order. */
    AppliedEntry committed(LogPosition position, byte[] entry);

    /** The log keeps entries of its own between ours: its configuration, the first entry of a leader. */
    void passed(LogPosition position);

    /** This replica leads now, and has applied all that earlier leaders committed. */
    void leading();

    /** This replica does not lead any more. */
    void following();

    /** Where a replica that starts now would go on from. */
    LogPosition newestCheckpoint();

    /** Up to where the log may be forgotten; before its start if nowhere. */
    LogPosition purgeableUpTo();

    /** The log cannot go on: this replica must leave. */
    void failed(String what, Throwable cause);
}
