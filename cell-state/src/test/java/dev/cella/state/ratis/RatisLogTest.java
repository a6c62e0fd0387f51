package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.state.FreePorts;
import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.Founding;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPeer;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.Membership;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellVersion;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatisLogTest {
    private static final CellName CELL = new CellName("dev");
    private static final int SEGMENT_HEADER_BYTES = 8;
    private static final RatisOptions SMALL_SEGMENTS = RatisOptions.defaults().withSegmentBytes(1 << 20);

    /** The place in Ratis' start where a member takes part already, and does not listen. */
    private static final String BEFORE_IT_LISTENS = "RaftServerImpl.startComplete";

    @TempDir
    private Path path;

    @TempDir
    private Path ofAnotherCell;

    @ParameterizedTest
    @EnumSource
    void append_entries_areDeliveredInOrderAndAnswered(LogRpc rpc) throws Exception {
        Recorder recorder = new Recorder(LogPosition.START);
        try (DataDirectory directory = open();
                RatisLog log = new RatisLog(
                        directory, RatisOptions.defaults().withRpc(rpc), Membership.alone(), new IdleTime())) {
            log.start(recorder);
            recorder.awaitLeading();
            List<CompletableFuture<AppliedEntry>> answers = new ArrayList<>();
            for (int number = 0; number < 50; number++) {
                answers.add(log.append(bytes("entry " + number)));
            }
            for (int number = 0; number < 50; number++) {
                assertThat(await(answers.get(number)).version()).isEqualTo(new CellVersion(number + 1));
            }
        }
        assertThat(recorder.entries)
                .hasSize(50)
                .startsWith("entry 0", "entry 1")
                .endsWith("entry 49");
        assertThat(recorder.failures).isEmpty();
    }

    /** On a slow machine, a lone replica has applied its first entry before its process has come so far as to listen. */
    @ParameterizedTest
    @EnumSource
    void peers_beforeItListens_areThoseOfItsStart(LogRpc rpc) throws Exception {
        Recorder recorder = new Recorder(LogPosition.START);
        CompletableFuture<List<LogPeer>> early = new CompletableFuture<>();
        try (DataDirectory directory = open();
                RatisLog log = new RatisLog(
                        directory, RatisOptions.defaults().withRpc(rpc), Membership.alone(), new IdleTime())) {
            CodeInjectionForTesting.put(
                    BEFORE_IT_LISTENS, (member, other, more) -> !log.peers().isEmpty() && early.complete(log.peers()));
            log.start(recorder);
            recorder.awaitLeading();
            assertThat(early.join()).extracting(LogPeer::log).containsExactly("127.0.0.1:0");
            assertThat(directory.identity().peers()).isEqualTo(log.peers()).doesNotContainAnyElementsOf(early.join());
        } finally {
            CodeInjectionForTesting.remove(BEFORE_IT_LISTENS);
        }
    }

    @Test
    void restart_withoutCheckpoint_deliversAllAgain() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b");
        Recorder again = new Recorder(LogPosition.START);
        run(again, "c");
        assertThat(again.entries).containsExactly("a", "b", "c");
    }

    @Test
    void restart_withCheckpoint_deliversWhatFollows() throws Exception {
        Recorder first = new Recorder(LogPosition.START);
        run(first, "a", "b", "c");
        Recorder again = new Recorder(first.positions.get(1));
        run(again, "d");
        assertThat(again.entries).containsExactly("c", "d");
    }

    @Test
    void restart_withoutTheLogThatWasBegun_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a");
        DurableFiles.removeTree(path.resolve("log"));
        StartRefusedException refused =
                catchThrowableOfType(StartRefusedException.class, () -> run(new Recorder(LogPosition.START), "b"));
        assertThat(refused.why()).isEqualTo(Why.LOG_INCOMPLETE);
    }

    /** A killed process leaves allocated space after its last entry. */
    @Test
    void restart_withATornTail_goesOnBeforeIt() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b", "x".repeat(5_000));
        leaveAsAfterAKill();
        Path segment = openSegment();
        long end = Files.size(segment);
        byte[] bytes = Files.readAllBytes(segment);
        // The last of its sectors was never written.
        Arrays.fill(bytes, (int) (end / 512 * 512), (int) end, (byte) 0);
        Files.write(segment, Arrays.copyOf(bytes, 1 << 20));

        Recorder again = new Recorder(LogPosition.START);
        run(again, "c");

        assertThat(again.entries).containsExactly("a", "b", "c");
        assertThat(path.resolve("log").toFile().list()).anyMatch(name -> name.startsWith("torn-"));
    }

    @Test
    void restart_withASegmentBrokenOff_goesOnBeforeTheEntry() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b", "x".repeat(5_000));
        leaveAsAfterAKill();
        truncate(openSegment(), 100);

        Recorder again = new Recorder(LogPosition.START);
        run(again, "c");

        assertThat(again.entries).containsExactly("a", "b", "c");
    }

    @Test
    void restart_withAnEndThatWasThereWhenItWasClosed_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b");
        truncate(openSegment(), 10);

        assertThat(refused()).hasMessageContaining("when it was closed");
    }

    @Test
    void restart_withoutAnEntryThatItHadConfirmed_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b");
        Files.delete(path.resolve("log/closed"));
        truncate(openSegment(), 10);

        StartRefusedException refused = refused();

        assertThat(refused).hasMessageContaining("had confirmed entry").hasMessageContaining("says its own file");
        assertThat(refused.why()).isEqualTo(Why.OLDER_COPY);
    }

    @Test
    void restart_withADamagedFileOfConfirmedEntries_goesOnWithoutIt() throws Exception {
        run(new Recorder(LogPosition.START), "a");
        Path confirmed = path.resolve("log/confirmed");
        String text = Files.readString(confirmed);
        assertThat(text).matches("[0-9a-f]+\n\\S+ \\d+\n");
        Files.writeString(confirmed, text.stripTrailing() + "0\n");

        Recorder again = new Recorder(LogPosition.START);
        run(again, "b");

        assertThat(again.entries).containsExactly("a", "b");
    }

    @Test
    void restart_withADamagedFileOfItsLastEntry_goesOnWithoutIt() throws Exception {
        run(new Recorder(LogPosition.START), "a");
        Files.write(path.resolve("log/closed"), new byte[] {(byte) 0x80});

        Recorder again = new Recorder(LogPosition.START);
        run(again, "b");

        assertThat(again.entries).containsExactly("a", "b");
    }

    @Test
    void restart_withAFlippedByte_isRefusedWithFileAndPosition() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b");
        byte[] bytes = Files.readAllBytes(openSegment());
        bytes[bytes.length - 20] ^= 1;
        Files.write(openSegment(), bytes);

        StartRefusedException refused = refused();

        assertThat(refused).hasMessageContaining(openSegment().toString()).hasMessageContaining("is damaged at byte");
        assertThat(refused.hint()).contains("cella cell restore");
    }

    /** A bad length leads to the zeros behind the last entry, which are no sectors that a power cut has left. */
    @ParameterizedTest
    @ValueSource(strings = {"00", "ff7f", "ffffffff7f"})
    void restart_withAFlippedLength_isRefused_alsoBeforeTheZerosOfAFileThatWasNotClosed(String length)
            throws Exception {
        run(new Recorder(LogPosition.START), "a", "b");
        leaveAsAfterAKill();
        Path segment = openSegment();
        byte[] bytes = Arrays.copyOf(Files.readAllBytes(segment), 1 << 20);
        byte[] bad = HexFormat.of().parseHex(length);
        System.arraycopy(bad, 0, bytes, SEGMENT_HEADER_BYTES, bad.length);
        Files.write(segment, bytes);

        assertThat(refused()).hasMessageContaining("is damaged at byte " + SEGMENT_HEADER_BYTES);
        assertThat(segment).hasBinaryContent(bytes);
    }

    /** The sectors of one write reach the disk in any order. */
    @Test
    void restart_withATornEntryBeforeAWholeOne_goesOnBeforeIt() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b", "x".repeat(5_000), "d");
        leaveAsAfterAKill();
        Path segment = openSegment();
        byte[] bytes = Files.readAllBytes(segment);
        int sector = bytes.length / 512 / 2 * 512;
        Arrays.fill(bytes, sector, sector + 512, (byte) 0);
        Files.write(segment, Arrays.copyOf(bytes, 1 << 20));

        Recorder again = new Recorder(LogPosition.START);
        run(again, "c");

        assertThat(again.entries).containsExactly("a", "b", "c");
    }

    /** A start reads only the newest file by itself, and Ratis the others. Its own words say neither which file nor what to do. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restart_withAClosedFileThatIsFlippedOrCutOff_isRefusedWithFileAndPosition_andCloses(boolean cutOff)
            throws Exception {
        String large = "x".repeat(600_000);
        runInSmallSegments("a", large, large, "b");
        Path first = firstSegment(path);
        byte[] bytes = Files.readAllBytes(first);
        bytes[bytes.length / 2] ^= 1;
        Files.write(first, cutOff ? Arrays.copyOf(bytes, bytes.length / 2) : bytes);

        try (DataDirectory directory = open()) {
            RatisLog log = new RatisLog(directory, SMALL_SEGMENTS, Membership.alone(), new IdleTime());
            StartRefusedException refused =
                    catchThrowableOfType(StartRefusedException.class, () -> log.start(new Recorder(LogPosition.START)));

            assertThat(refused).hasMessageContaining(first.toString()).hasMessageContaining("is damaged at byte");
            log.close();
        }
    }

    @Test
    void restart_withGarbageBehindTheLastEntry_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a");
        long end = Files.size(openSegment());
        Files.writeString(openSegment(), "garbage!".repeat(100), StandardOpenOption.APPEND);

        assertThat(refused()).hasMessageContaining("damaged at byte " + end);
    }

    @Test
    void restart_withoutASegment_isRefused() throws Exception {
        String large = "x".repeat(600_000);
        runInSmallSegments(large, large, large, large, large);
        Path missing;
        try (Stream<Path> files = Files.list(openSegment().getParent())) {
            missing = files.filter(file -> file.getFileName().toString().matches("log_\\d+-\\d+"))
                    .sorted(Comparator.comparing(file -> file.getFileName().toString()))
                    .skip(1)
                    .findFirst()
                    .orElseThrow();
        }
        Files.delete(missing);

        assertThat(refused()).hasMessageContaining("the file before it, does not end with entry");
    }

    /** Its name, its entries' numbers and its checksums fit. */
    @Test
    void restart_withAFileOfAnotherCell_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a", "b");
        runIn(ofAnotherCell, RatisOptions.defaults(), new Recorder(LogPosition.START), "c", "d");
        Files.copy(openSegment(ofAnotherCell), openSegment(), StandardCopyOption.REPLACE_EXISTING);

        assertThat(refused()).hasMessageContaining("is of another cell");
    }

    @Test
    void restart_withAClosedFileOfAnotherCell_leavesBeforeItsFirstEntry() throws Exception {
        String large = "x".repeat(600_000);
        runInSmallSegments("a", large, large, "b");
        runIn(ofAnotherCell, SMALL_SEGMENTS, new Recorder(LogPosition.START), "c", large, large, "d");
        Path foreign = firstSegment(ofAnotherCell);
        Path ours = openSegment().resolveSibling(foreign.getFileName());
        assertThat(ours).exists();
        Files.copy(foreign, ours, StandardCopyOption.REPLACE_EXISTING);

        Recorder again = new Recorder(LogPosition.START);
        try (DataDirectory directory = open();
                RatisLog log = new RatisLog(directory, SMALL_SEGMENTS, Membership.alone(), new IdleTime())) {
            log.start(again);
            assertThat(await(again.failure)).isEqualTo("a file of the log is damaged");
        }
        assertThat(again.entries).isEmpty();
    }

    private static Path firstSegment(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(openSegment(directory).getParent())) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_0-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restart_withoutVotes_aloneMakesThemAgain(boolean empty) throws Exception {
        run(new Recorder(LogPosition.START), "a");
        Path votes = openSegment().resolveSibling("raft-meta");
        if (empty) {
            Files.write(votes, new byte[0]);
        } else {
            Files.delete(votes);
        }
        Recorder again = new Recorder(LogPosition.START);
        run(again, "b");
        assertThat(again.entries).containsExactly("a", "b");
    }

    @Test
    void recover_withoutVotes_ofSeveral_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a");
        Files.delete(openSegment().resolveSibling("raft-meta"));
        UUID cell = UUID.fromString(
                openSegment().getParent().getParent().getFileName().toString());

        StartRefusedException refused = catchThrowableOfType(
                StartRefusedException.class,
                () -> new LogFiles(path.resolve("log"), cell, "r1", false).recover(LogPosition.START));

        assertThat(refused).hasMessageContaining("raft-meta").hasMessageContaining("this replica's votes");
        assertThat(refused.hint()).contains("cella cell replace r1");
    }

    private StartRefusedException refused() {
        return catchThrowableOfType(StartRefusedException.class, () -> run(new Recorder(LogPosition.START), "z"));
    }

    /** Killed before it kept what it had confirmed. */
    private void leaveAsAfterAKill() throws IOException {
        Files.delete(path.resolve("log").resolve("closed"));
        Files.delete(path.resolve("log").resolve("confirmed"));
    }

    private Path openSegment() throws IOException {
        return openSegment(path);
    }

    private static Path openSegment(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("log"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void truncate(Path file, int bytes) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - bytes));
    }

    private void runInSmallSegments(String... entries) throws Exception {
        runIn(path, SMALL_SEGMENTS, new Recorder(LogPosition.START), entries);
    }

    @Test
    void start_afterAFirstStartThatDidNotFinish_beginsTheLog() throws Exception {
        open().close();
        Files.createDirectories(path.resolve("log").resolve("half"));
        Recorder recorder = new Recorder(LogPosition.START);
        run(recorder, "a");
        assertThat(recorder.entries).containsExactly("a");
    }

    /** A start had voted for itself when the disk was full. */
    @Test
    void start_restoredAndKilledBeforeItsFirstEntry_beginsTheLog() throws Exception {
        LogPosition checkpoint = new LogPosition(1, 1);
        try (DataDirectory directory = open()) {
            RatisLog.beginEmpty(directory);
            vote(directory, 1);
        }
        Recorder recorder = new Recorder(checkpoint);
        run(recorder, "a");
        Recorder again = new Recorder(checkpoint);
        run(again, "b");
        assertThat(again.entries).containsExactly("a", "b");
    }

    @Test
    void restart_withoutTheFilesOfALogThatHadAnEntry_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a");
        DurableFiles.removeTree(openSegment().getParent().getParent());

        assertThat(refused().why()).isEqualTo(Why.LOG_INCOMPLETE);
    }

    /** As it is in a directory of an earlier program, whose mark stayed. */
    @Test
    void restart_withoutTheFilesOfAMarkedLogThatHadAnEntryWhenItWasClosed_isRefused() throws Exception {
        run(new Recorder(LogPosition.START), "a");
        DurableFiles.removeTree(openSegment().getParent().getParent());
        DurableFiles.write(path.resolve("log/fresh"));

        assertThat(refused()).hasMessageContaining("when it was closed");
    }

    /** A firewall may keep the logs apart while the doors reach each other. */
    @Test
    void restart_ofSeveralBeforeAnyTerm_beginsAgainWithTheAddressesOfTheFile() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            startOfSeveral(silent);
        }
        try (ServerSocket other = new ServerSocket(0)) {
            assertThat(startOfSeveral(other)).extracting(LogPeer::log).contains("127.0.0.1:" + other.getLocalPort());
        }
    }

    @Test
    void restart_ofSeveralWithAVoteAndNoEntry_isRefusedWithAdviceForAll() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            startOfSeveral(silent);
            try (DataDirectory directory = open()) {
                vote(directory, 1);
            }
            StartRefusedException refused =
                    catchThrowableOfType(StartRefusedException.class, () -> startOfSeveral(silent));
            assertThat(refused).hasMessageContaining("has no entry yet, and this replica may have voted");
            assertThat(refused.hint()).contains("cella cell replace r1", "each can start on an empty directory");
        }
    }

    /** Starts r1 of three, stops it when it has asked for a vote, and returns the members that it knew. */
    private List<LogPeer> startOfSeveral(ServerSocket other) throws Exception {
        List<Integer> ports = FreePorts.find(2, new Random());
        Membership membership = new Membership(
                "r1",
                List.of(member("r1", ports.get(0)), member("r2", other.getLocalPort()), member("r3", ports.get(1))));
        try (DataDirectory directory = open()) {
            Optional<Founding.Step> step =
                    directory.foundingStep(membership, Map.of("r2", emptyDirectory(), "r3", emptyDirectory()));
            if (step.isPresent()) {
                directory.founded(((Founding.Begin) step.get()).founded());
            }
            try (RatisLog log = new RatisLog(directory, RatisOptions.defaults(), membership, new IdleTime())) {
                log.start(new Recorder(LogPosition.START));
                other.accept().close();
                log.keepConfirmed();
                return log.peers();
            }
        }
    }

    private static DirectoryIdentity emptyDirectory() {
        return DirectoryIdentity.parse("format=1\ncell=%s\nid=%s\nlog=false\n".formatted(CELL, UUID.randomUUID()));
    }

    private static Membership.Member member(String name, int logPort) {
        return new Membership.Member(name, "127.0.0.1:" + logPort, URI.create("http://" + name + ":7070"));
    }

    private static void vote(DataDirectory directory, int term) throws IOException {
        Path votes = directory.log().resolve(directory.cellId() + "/current/raft-meta");
        Files.createDirectories(votes.getParent());
        Files.writeString(votes, "term=%d\nvotedFor=%s\n".formatted(term, directory.replica(Membership.alone())));
    }

    private void run(Recorder recorder, String... entries) throws Exception {
        runIn(path, RatisOptions.defaults(), recorder, entries);
    }

    private static void runIn(Path data, RatisOptions options, Recorder recorder, String... entries) throws Exception {
        try (DataDirectory directory = open(data);
                RatisLog log = new RatisLog(directory, options, Membership.alone(), new IdleTime())) {
            log.start(recorder);
            recorder.awaitLeading();
            for (String entry : entries) {
                await(log.append(bytes(entry)));
            }
        }
    }

    private DataDirectory open() throws StartRefusedException {
        return open(path);
    }

    private static DataDirectory open(Path data) throws StartRefusedException {
        return DataDirectory.open(data, CELL, 0, UUID.randomUUID());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(120, TimeUnit.SECONDS);
    }

    /** Records its calls, and takes a version for each entry. */
    private static final class Recorder implements LogListener {
        private final LogPosition restored;
        private final List<String> entries = new ArrayList<>();
        private final List<LogPosition> positions = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
        private final CompletableFuture<String> failure = new CompletableFuture<>();
        private final CompletableFuture<Void> leading = new CompletableFuture<>();

        Recorder(LogPosition restored) {
            this.restored = restored;
        }

        void awaitLeading() throws Exception {
            await(leading);
        }

        @Override
        public AppliedEntry committed(LogPosition position, byte[] entry) {
            entries.add(new String(entry, StandardCharsets.UTF_8));
            positions.add(position);
            return new AppliedEntry(position, new CellVersion(entries.size()), List.of());
        }

        @Override
        public void passed(LogPosition position) {}

        @Override
        public void leading() {
            leading.complete(null);
        }

        @Override
        public void following() {}

        @Override
        public LogPosition newestCheckpoint() {
            return restored;
        }

        @Override
        public List<Path> newestCheckpointFiles() {
            return List.of();
        }

        @Override
        public void checkpointArriving() {}

        @Override
        public void checkpointArrived() {}

        @Override
        public LogPosition purgeableUpTo() {
            return LogPosition.START;
        }

        @Override
        public void failed(String what, Throwable cause) {
            failures.add(what);
            failure.complete(what);
            leading.completeExceptionally(new IllegalStateException(what, cause));
        }
    }
}
