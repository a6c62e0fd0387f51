package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.access.TokenSecret;
import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.rocksdb.RocksCellStore;
import dev.cella.state.web.Security;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica that loses the lead after it wrote the file of the first token, before the cell has the token. */
@Timeout(60)
class OvertakenFirstTokenTest {
    @TempDir
    Path path;

    @Test
    void leaderThatAnotherOvertook_keepsNoFileOfATokenThatWasNeverMade() throws Exception {
        OvertakenLog log = new OvertakenLog(path.resolve("token"));
        try (ReplicaThreads threads = new ReplicaThreads();
                DataDirectory directory = DataDirectory.open(path, new CellName("cell"), 0, UUID.randomUUID());
                Replica replica = new Replica(
                        new Command.FoundCell(directory.cell(), new Incarnation(1)),
                        Membership.alone(),
                        log,
                        new RocksCellStore(directory),
                        ReplicaLimits.defaults(),
                        threads.time(),
                        threads.threads(),
                        (message, cause) -> {
                            throw new AssertionError(message, cause);
                        })) {
            replica.start();
            replica.ready().join();

            new FirstToken(replica, Access.closed(Security.TOKENS), path.resolve("token")).make();

            assertThat(log.sawTheFile).isTrue();
            assertThat(replica.tokensByHash()).containsOnlyKeys(OvertakenLog.OTHER.hash());
            assertThat(path.resolve("token")).doesNotExist();
        }
    }

    /** Commits each entry at once, but loses that of the token: another leader's is committed in its place. */
    private static final class OvertakenLog extends StillLog {
        private static final Token OTHER = new Token(
                FirstToken.NAME,
                TokenSecret.hash("the next leader's"),
                new TreeSet<>(List.of("operate")),
                new TreeSet<>(),
                0);

        private final Path file;
        private @Nullable LogListener listener;
        private long index;
        private boolean sawTheFile;

        OvertakenLog(Path file) {
            this.file = file;
        }

        @Override
        public void start(LogListener replica) {
            listener = replica;
            replica.leading();
        }

        @Override
        public CompletableFuture<AppliedEntry> append(byte[] bytes) {
            Entry entry = EntryCodec.decode(bytes);
            if (CommandCodec.decodeCommand(entry.commands().get(0)) instanceof Command.PutToken) {
                sawTheFile = Files.exists(file);
                told().following();
                commit(EntryCodec.encode(
                        entry.header(),
                        List.of(CommandCodec.encode(new Principal("cell"), new Command.PutToken(OTHER)))));
                return CompletableFuture.failedFuture(new IOException("not the leader any more"));
            }
            return CompletableFuture.completedFuture(commit(bytes));
        }

        private LogListener told() {
            return Objects.requireNonNull(listener);
        }

        private AppliedEntry commit(byte[] bytes) {
            AppliedEntry applied = told().committed(new LogPosition(1, index), bytes);
            index++;
            return applied;
        }
    }
}
