package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.FeedFrame;
import dev.cella.state.core.FeedReader;
import dev.cella.state.core.FeedRequest;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Specification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedReplicaTest {
    private static final long CHECKPOINT_LOG_BYTES = 20_000;

    private static final Pattern SEGMENT = Pattern.compile("^log_(?:inprogress_)?(\\d+)");

    @TempDir
    private Path path;

    @Test
    void submit_commands_areAnsweredAndSurviveARestart() throws Exception {
        long digest;
        JobId job;
        try (Running running = start()) {
            running.ask(Samples.machine("m-1"));
            job = new JobId(((CommandResult.Done) running.ask(Samples.job("hello", 3))).identity());
            digest = running.digest();
        }
        try (Running running = start()) {
            assertThat(running.digest()).isEqualTo(digest);
            assertThat(running.replica().specification(job, 1)).contains(Samples.specification("hello"));
            assertThat(running.ask(Samples.machine("m-2")).version()).isEqualTo(new CellVersion(4));
        }
    }

    @Test
    void restart_fromEachOfItsCheckpoints_hasTheSameDigest() throws Exception {
        long digest = fill();
        assertThat(checkpoints()).hasSize(2);
        assertThat(digestAfterRestart()).isEqualTo(digest);
        tear(newestPages(checkpoints().get(0)));
        assertThat(digestAfterRestart()).as("newest checkpoint torn").isEqualTo(digest);
    }

    @Test
    void restart_withoutCheckpointsAndWithTheWholeLog_replaysIt() throws Exception {
        long digest = fill();
        DurableFiles.removeTree(path.resolve("checkpoints"));
        assertThat(digestAfterRestart()).isEqualTo(digest);
    }

    @Test
    void restart_liveDatabaseDestroyed_doesNotMatter() throws Exception {
        long digest = fill();
        DurableFiles.removeTree(path.resolve("live"));
        Files.createDirectories(path.resolve("live"));
        Files.writeString(path.resolve("live/CURRENT"), "rubbish");
        assertThat(digestAfterRestart()).isEqualTo(digest);
    }

    @Test
    void restart_logPurgedAndNoCheckpointWhole_isRefused() throws Exception {
        fill();
        for (Path checkpoint : checkpoints()) {
            tear(checkpoint.resolve("manifest"));
        }
        purgeTheLogsBeginning();
        StartRefusedException refused = catchThrowableOfType(StartRefusedException.class, this::start);
        assertThat(refused.why()).isEqualTo(Why.LOG_INCOMPLETE);
        assertThat(refused).hasMessageContaining("is needed");
    }

    @Test
    void submit_muchMoreThanASegment_forgetsTheLogUpToTheOlderCheckpoint() throws Exception {
        long digest;
        try (Running running = start()) {
            for (int number = 0; firstLogIndex() == 0; number++) {
                running.ask(Samples.jobOfBytes("large-" + number, Specification.BYTES_MAX));
            }
            digest = running.digest();
        }
        assertThat(digestAfterRestart()).isEqualTo(digest);
        tear(checkpoints().get(0).resolve("manifest"));
        assertThat(digestAfterRestart()).as("from the older checkpoint").isEqualTo(digest);
    }

    /** Uses names only, because the log removes files in the meantime. */
    private long firstLogIndex() throws IOException {
        try (Stream<Path> groups = Files.list(path.resolve("log"))) {
            Path group = groups.filter(Files::isDirectory).findFirst().orElseThrow();
            try (Stream<Path> files = Files.list(group.resolve("current"))) {
                return files.map(file -> SEGMENT.matcher(file.getFileName().toString()))
                        .filter(Matcher::find)
                        .mapToLong(name -> Long.parseLong(name.group(1)))
                        .min()
                        .orElse(0);
            }
        }
    }

    /** Long after Ratis has forgotten the entry: the cell's own table recognises the transaction. */
    @Test
    void retry_afterTheLogHasForgottenItsReplies_isGivenTheFirstOutcome() throws Exception {
        try (Running running = new Running(path, RatisOptions.defaults().withRepliesKept(Duration.ofMillis(1)))) {
            running.ask(Samples.machine("m-1"));
            running.ask(Samples.job("retried", 1));
            Command claim = running.replica()
                    .read(view ->
                            Samples.claimAll(view, "t-1", view.job("retried").orElseThrow(), 0));
            CommandResult first = running.ask(claim);
            long forgotten = System.nanoTime() + Duration.ofMillis(50).toNanos();
            for (int number = 0; System.nanoTime() < forgotten; number++) {
                running.ask(Samples.machine("later-" + number));
            }

            assertThat(running.ask(claim)).isEqualTo(first);
            int placed = running.replica().read(view -> view.tasksOn(0));
            assertThat(placed).isEqualTo(1);
        }
    }

    @Test
    void open_otherCellsDirectory_isRefused() throws Exception {
        start().close();
        assertThatThrownBy(() -> DataDirectory.open(path, new CellName("other"), 0, UUID.randomUUID()))
                .isInstanceOf(StartRefusedException.class);
    }

    @Test
    void subscribe_acrossARestart_goesOnWhereItWas() throws Exception {
        CellVersion read;
        FeedRequest further;
        try (Running running = start()) {
            running.ask(Samples.machine("m-1"));
            read = running.replica().version();
            further = FeedRequest.after(running.replica().incarnation(), read);
            running.ask(Samples.machine("m-2"));
        }
        try (Running running = start();
                FeedReader reader = running.replica().subscribe(further)) {
            FeedFrame frame = await(reader.next());
            assertThat(frame).isInstanceOf(FeedFrame.Changes.class);
            assertThat(((FeedFrame.Changes) frame).last()).isEqualTo(read.next());
        }
    }

    /** Sends enough commands for several checkpoints, and waits for the last one. */
    private long fill() throws Exception {
        try (Running running = start()) {
            for (int round = 0; checkpoints().size() < 2; round++) {
                running.askMany(round, 100);
            }
            return running.digest();
        }
    }

    private long digestAfterRestart() throws Exception {
        try (Running running = start()) {
            return running.digest();
        }
    }

    private List<Path> checkpoints() throws IOException {
        if (!Files.exists(path.resolve("checkpoints"))) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(path.resolve("checkpoints"))) {
            return all.filter(one -> one.getFileName().toString().startsWith("checkpoint-"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /** The pages that it does not share with the previous checkpoint. */
    private static Path newestPages(Path checkpoint) {
        String index = checkpoint.getFileName().toString().substring("checkpoint-".length());
        return checkpoint.resolve("hot-" + index);
    }

    private static void tear(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    }

    /** The state in which Ratis would have left it: the first segment is gone. */
    private void purgeTheLogsBeginning() throws IOException {
        try (Stream<Path> files = Files.walk(path.resolve("log"))) {
            for (Path segment : files.filter(
                            file -> file.getFileName().toString().startsWith("log_"))
                    .toList()) {
                Files.move(segment, segment.resolveSibling("log_inprogress_100000"));
            }
        }
    }

    private Running start() throws Exception {
        return new Running(path);
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(120, TimeUnit.SECONDS);
    }

    /** A replica that is ready; a departure fails the test when it is closed. */
    private static final class Running implements AutoCloseable {
        private final DataDirectory directory;
        private final EmbeddedReplica embedded;
        private final List<String> departures = new ArrayList<>();

        Running(Path path) throws Exception {
            this(path, RatisOptions.defaults());
        }

        Running(Path path, RatisOptions log) throws Exception {
            directory = DataDirectory.open(path, new CellName("test"), 0, UUID.randomUUID());
            try {
                embedded = EmbeddedReplica.open(
                        directory,
                        ReplicaOptions.defaults()
                                .withLog(log)
                                .withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(CHECKPOINT_LOG_BYTES)),
                        (message, cause) -> departures.add(message));
            } catch (Exception failure) {
                directory.close();
                throw failure;
            }
            await(replica().ready());
        }

        Replica replica() {
            return embedded.replica();
        }

        CommandResult ask(Command command) throws Exception {
            return await(replica().submit(Lane.OPERATORS, Samples.TEST, command));
        }

        void askMany(int round, int count) throws Exception {
            List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                String name = "x-" + round + "-" + number;
                answers.add(replica().submit(Lane.OPERATORS, Samples.TEST, Samples.machine(name)));
                answers.add(replica().submit(Lane.OPERATORS, Samples.TEST, Samples.job(name, 2)));
            }
            for (CompletableFuture<CommandResult> answer : answers) {
                await(answer);
            }
        }

        long digest() {
            return replica().read(CellView::digest);
        }

        @Override
        public void close() throws IOException {
            embedded.close();
            directory.close();
            assertThat(departures).isEmpty();
        }
    }
}
