package dev.cella.state.ratis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.state.core.DamagedLogException;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.LogPeer;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.state.ratis.LogSegments.Segment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the files of one log on disk before Ratis opens them. It repairs what can be repaired, and refuses the rest with the
 * name of the file, the position in it and what to do.
 *
 * <p>Ratis opens a log whose last entries are missing, and waits forever for one whose first entries are. For damage that it
 * notices, it reports a broken invariant. So this class checks first: always the names of the files and the open segment, and
 * all files if Ratis does not start.
 */
public final class LogFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);

    /** The file in which Ratis keeps the newest term and this member's vote in it. */
    private static final String VOTES = "raft-meta";

    private static final Pattern TERM = Pattern.compile("(?m)^term=\\d+$");

    /** The term of a log that has just begun. */
    private static final Pattern BEFORE_ALL_TERMS = Pattern.compile("(?m)^term=0$");

    /** The file with the last entry on disk. It is written when the log is closed and removed when it is opened. */
    private static final String CLOSED = "closed";

    private final Path log;
    private final Path current;
    private final Proposers proposers;
    private final String self;
    private final boolean alone;

    /**
     * The files of one log.
     *
     * @param log the directory in which Ratis keeps the groups of this process
     * @param self the id of this member
     * @param alone whether it is the only one
     */
    public LogFiles(Path log, UUID cellId, String self, boolean alone) {
        this.log = log;
        this.current = log.resolve(cellId.toString()).resolve("current");
        this.proposers = new Proposers(cellId);
        this.self = self;
        this.alone = alone;
    }

    public boolean isEmpty() throws IOException {
        return segments().isEmpty();
    }

    /** The index of the first entry that is not purged; larger than any index if there is none. */
    long firstIndex() throws IOException {
        return segments().firstIndex();
    }

    /** A member has its term on the disk before it votes in it, and before it takes an entry of it. */
    boolean mayHaveVoted() throws IOException {
        return hasVotes() && !BEFORE_ALL_TERMS.matcher(textOfVotes()).find();
    }

    private boolean hasVotes() {
        return Files.exists(current.resolve(VOTES));
    }

    private String textOfVotes() throws IOException {
        return new String(Files.readAllBytes(current.resolve(VOTES)), UTF_8);
    }

    /** When another member's checkpoint replaces a log that was far behind, nothing of the log is left. */
    boolean isEmptyAfterACheckpointCame(LogPosition checkpoint) throws IOException {
        return !checkpoint.isAtStart() && hasVotes() && isEmpty();
    }

    /** Removes a log that has no entry, unless it had one after the checkpoint when it was closed. */
    void removeWithoutEntries(LogPosition checkpoint) throws IOException, StartRefusedException {
        checkEndsWhereItWasClosed(checkpoint.index());
        Files.deleteIfExists(log.resolve(CLOSED));
        DurableFiles.removeTree(current.resolveSibling(""));
    }

    private LogSegments segments() throws IOException {
        return LogSegments.list(current);
    }

    /**
     * Repairs the files so that Ratis can open them, or refuses.
     *
     * @return the index of the last entry
     */
    long recover(LogPosition checkpoint) throws IOException, StartRefusedException {
        LogSegments segments = segments();
        checkReachesBackTo(segments, checkpoint.index() + 1);
        long last;
        try {
            segments.checkNoneIsMissing();
            SegmentScan.End end = repairEnd(segments);
            last = end.lastIndex();
            checkEndsWhereItWasClosed(last);
            repairVotes(end.lastTerm());
        } catch (DamagedLogException damaged) {
            throw refused(damaged);
        }
        Files.deleteIfExists(log.resolve(CLOSED));
        return last;
    }

    private void checkReachesBackTo(LogSegments segments, long firstNeeded) throws StartRefusedException {
        if (segments.firstIndex() > firstNeeded) {
            String begins = segments.isEmpty() ? "is gone" : "begins with entry " + segments.firstIndex();
            throw new StartRefusedException(
                    Why.LOG_INCOMPLETE,
                    "the log in %s %s, and without a newer whole checkpoint entry %d is needed"
                            .formatted(log, begins, firstNeeded),
                    advice());
        }
    }

    private SegmentScan.End repairEnd(LogSegments segments) throws IOException, DamagedLogException {
        Segment last = segments.all().get(segments.all().size() - 1);
        SegmentScan.End end = scan(last);
        if (end.isTorn()) {
            putAside(last.file(), end.bytes());
            LOG.warn(
                    "log={}: a power cut left part of entry {} at byte {}; it was never acknowledged, and the log goes"
                            + " on before it",
                    last.file(),
                    end.lastIndex() + 1,
                    end.bytes());
        }
        return end;
    }

    private SegmentScan.End scan(Segment segment) throws IOException, DamagedLogException {
        return SegmentScan.scan(segment, proposers, entry -> {});
    }

    /** Puts the cut-off part aside, for a person to look at. */
    private void putAside(Path segment, long position) throws IOException {
        Path aside = log.resolve("torn-" + segment.getFileName() + "-" + position);
        Files.copy(segment, aside, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            channel.truncate(position);
            channel.force(true);
        }
    }

    private void checkEndsWhereItWasClosed(long lastIndex) throws IOException, StartRefusedException {
        OptionalLong closed = closedAt();
        if (closed.isPresent() && lastIndex < closed.getAsLong()) {
            throw new StartRefusedException(
                    Why.DAMAGED,
                    "the log in %s ends with entry %d, and it had entry %d when it was closed"
                            .formatted(current, lastIndex, closed.getAsLong()),
                    advice());
        }
    }

    /** An unreadable file counts as absent, because it only helps to detect a loss. */
    private OptionalLong closedAt() throws IOException {
        Path file = log.resolve(CLOSED);
        String text = Files.exists(file) ? new String(Files.readAllBytes(file), UTF_8).strip() : "";
        return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /** Records the last entry on disk when the log is closed, so that the loss of its end is noticed. */
    void closed(long lastIndex) throws IOException {
        if (lastIndex >= 0 && Files.isDirectory(log)) {
            DurableFiles.replace(log.resolve(CLOSED), lastIndex + "\n");
        }
    }

    /** A lone replica is the only voter, so the log tells what its lost votes were. */
    private void repairVotes(long term) throws IOException, DamagedLogException {
        Path votes = current.resolve(VOTES);
        Optional<String> fault = faultOfVotes();
        if (fault.isEmpty()) {
            return;
        }
        if (!alone) {
            throw new DamagedLogException(votes, 0, fault.get() + ", and it has this replica's votes");
        }
        DurableFiles.replace(votes, "term=%d\nvotedFor=%s\n".formatted(term, self));
        LOG.warn("log={}: {}; made again from the log, which ends in term {}", votes, fault.get(), term);
    }

    private Optional<String> faultOfVotes() throws IOException {
        if (!hasVotes()) {
            return Optional.of("it is missing");
        }
        return TERM.matcher(textOfVotes()).find() ? Optional.empty() : Optional.of("it has no term");
    }

    /** Reads every entry of every file, and refuses if one is damaged. */
    void checkAll() throws IOException, StartRefusedException {
        try {
            LogSegments segments = segments();
            segments.checkNoneIsMissing();
            for (Segment segment : segments.all()) {
                scan(segment);
            }
        } catch (DamagedLogException damaged) {
            throw refused(damaged);
        }
    }

    /** Reads everything without changing anything, and reports the content of each file. */
    public List<String> verify(LogPosition checkpoint) throws IOException, DamagedLogException, StartRefusedException {
        LogSegments segments = segments();
        List<String> lines = new ArrayList<>();
        if (!segments.isEmpty()) {
            checkReachesBackTo(segments, checkpoint.index() + 1);
        }
        segments.checkNoneIsMissing();
        long last = -1;
        for (Segment segment : segments.all()) {
            SegmentScan.End end = scan(segment);
            last = end.lastIndex();
            lines.add("%s: entries %d to %d%s"
                    .formatted(
                            segment.file().getFileName(),
                            segment.first(),
                            last,
                            end.isTorn() ? ", and a torn tail that a start cuts off" : ""));
        }
        if (!segments.isEmpty()) {
            checkEndsWhereItWasClosed(last);
            Optional<String> fault = faultOfVotes();
            if (fault.isPresent()) {
                throw new DamagedLogException(current.resolve(VOTES), 0, fault.get());
            }
        }
        return lines;
    }

    /** Refuses a log that begins after the entry that follows the checkpoint. */
    void checkFollows(LogPosition checkpoint) throws IOException, StartRefusedException {
        checkReachesBackTo(segments(), checkpoint.index() + 1);
    }

    /**
     * Hands over every whole entry after the checkpoint, in order, and changes nothing. A torn tail is left out.
     *
     * @return the position of the last entry
     */
    LogPosition readAfter(LogPosition checkpoint, Consumer<LogEntryProto> entries)
            throws IOException, StartRefusedException {
        LogSegments segments = segments();
        LogPosition last = checkpoint;
        try {
            segments.checkNoneIsMissing();
            for (Segment segment : segments.all()) {
                SegmentScan.End end = SegmentScan.scan(segment, proposers, entry -> {
                    if (entry.getIndex() > checkpoint.index()) {
                        entries.accept(entry);
                    }
                });
                if (end.lastIndex() > last.index()) {
                    last = new LogPosition(end.lastTerm(), end.lastIndex());
                }
            }
            checkEndsWhereItWasClosed(last.index());
        } catch (DamagedLogException damaged) {
            throw refused(damaged);
        }
        return last;
    }

    private StartRefusedException refused(DamagedLogException damaged) {
        return new StartRefusedException(Why.DAMAGED, String.valueOf(damaged.getMessage()), advice());
    }

    String advice() {
        return alone
                ? "bring the data directory back from a copy made while it was stopped, or restore a backup in an"
                        + " empty one (cella cell restore)"
                : "the other replicas have all of it: replace this one (cella cell replace %s) and start it on an empty directory"
                        .formatted(LogPeer.nameIn(self));
    }
}
