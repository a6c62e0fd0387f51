package dev.cella.state.core;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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

    /** The files of the newest checkpoint, for a member that is too far behind for the log. */
    List<Path> newestCheckpointFiles();

    /** A checkpoint has arrived and is about to be put in place of those that are here: none is made from now on. */
    void checkpointArriving();

    /** The checkpoint is in its place, and the log goes on from it. By the apply thread. */
    void checkpointArrived() throws IOException;

    /** Up to where the log may be forgotten; before its start if nowhere. */
    LogPosition purgeableUpTo();

    /** The log cannot go on: this replica must leave. */
    void failed(String what, Throwable cause);
}
