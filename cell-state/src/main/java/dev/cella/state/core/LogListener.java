package dev.cella.state.core;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The callbacks of a replica for its log. The log's one apply thread calls {@link #committed} and {@link #passed}, in the
 * order of the log. Any thread may call the others, and none of them may wait.
 */
public interface LogListener {
    /** Called once for every committed entry, in order, on every replica. */
    AppliedEntry committed(LogPosition position, byte[] entry);

    /** The log has its own entries between ours: its configuration, and the first entry of a leader. */
    void passed(LogPosition position);

    /** This replica leads now, and has applied everything that earlier leaders committed. */
    void leading();

    /** This replica no longer leads. */
    void following();

    /** The position from which a replica that starts now would continue. */
    LogPosition newestCheckpoint();

    /**
     * The files of the newest checkpoint, for a member that lags so far that the log no longer reaches back to it.
     */
    List<Path> newestCheckpointFiles();

    /** A checkpoint has arrived and is about to replace the present ones. From now on no checkpoint is made. */
    void checkpointArriving();

    /**
     * The checkpoint is in its place, and the log continues from it. Called on the apply thread. Throws if the checkpoint is
     * damaged: the replica leaves then.
     */
    void checkpointArrived() throws IOException;

    /** The position up to which the log may be purged; before its start if nowhere. */
    LogPosition purgeableUpTo();

    /** The log cannot go on, so this replica must leave. */
    void failed(String what, Throwable cause);
}
