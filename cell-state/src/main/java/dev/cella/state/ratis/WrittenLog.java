package dev.cella.state.ratis;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.LogSyncs;
import dev.cella.state.core.ReplicatedLog;
import dev.cella.state.core.StartRefusedException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * The log of a stopped replica, as its files have it. It delivers everything that was written, also entries of which nobody
 * knows whether a majority has them, and takes nothing. It changes no file.
 */
public final class WrittenLog implements ReplicatedLog {
    private final LogFiles files;
    private final boolean hadOthers;
    private LogPosition last = LogPosition.START;

    public WrittenLog(DataDirectory directory) {
        this.files = new LogFiles(directory.log(), directory.cellId(), "", true);
        this.hadOthers = directory.identity().peers().size() > 1;
    }

    /** The index of the first entry on disk: 0 unless the log was purged; larger than any index if there is none. */
    public long firstIndex() throws IOException {
        return files.firstIndex();
    }

    /** Delivers all entries before it returns. */
    @Override
    public void start(LogListener listener) throws IOException, StartRefusedException {
        LogPosition checkpoint = listener.newestCheckpoint();
        if (!hadOthers || !files.isEmptyAfterACheckpointCame(checkpoint)) {
            files.checkFollows(checkpoint);
        }
        last = files.readAfter(checkpoint, entry -> deliver(listener, entry));
    }

    private static void deliver(LogListener listener, LogEntryProto entry) {
        LogPosition position = new LogPosition(entry.getTerm(), entry.getIndex());
        if (entry.hasStateMachineLogEntry()) {
            byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
            var unused = listener.committed(position, bytes);
        } else {
            listener.passed(position);
        }
    }

    /** The position of the last entry on disk. */
    public LogPosition last() {
        return last;
    }

    @Override
    public CompletableFuture<AppliedEntry> append(byte[] entry) {
        return CompletableFuture.failedFuture(new IllegalStateException("a written log takes no entries"));
    }

    @Override
    public CompletableFuture<Void> catchUp() {
        return CompletableFuture.failedFuture(new IllegalStateException("a written log has no majority"));
    }

    @Override
    public Optional<String> leader() {
        return Optional.empty();
    }

    @Override
    public long entriesBehind() {
        return 0;
    }

    @Override
    public LogSyncs syncs() {
        return LogSyncs.NONE;
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
