package dev.cella.state;

import dev.cella.client.access.TokenSecret;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the first token of a closed cell. A client would need a token to ask for it. So the leader makes it and writes the
 * secret into a file that only the owner of the data directory can read.
 *
 * <p>With several replicas, the one that leads while the cell has no token writes the file. A new token comes only if the cell
 * has none at all, or if the server must keep the token of its file valid.
 *
 * <h2>A revoked secret stays revoked</h2> The file may have the secret of a token that was revoked, or one that never became
 * valid because the server ended before the commit. Nothing in the file tells which. So each try writes a new secret. A try
 * whose answer was lost may still come true, and then the file must have its secret. So the next try waits until the log has
 * decided every earlier one, and writes nothing if the cell has a token by then. If that is the token of another leader, the
 * file that this start wrote is removed: its secret never becomes valid.
 */
final class FirstToken {
    static final String NAME = "first";

    private static final Logger LOG = LoggerFactory.getLogger(FirstToken.class);
    private static final Principal SELF = new Principal("cell");
    private static final long LOOK_AGAIN_MILLIS = 100;
    private static final int SECRET_LENGTH_MAX = 200;

    private final Replica replica;
    private final Access access;
    private final Path file;
    private boolean wrote;
    private volatile boolean closed;

    FirstToken(Replica replica, Access access, Path file) {
        this.replica = replica;
        this.access = access;
        this.file = file;
    }

    /** Returns when the cell has a token. Runs on the thread that starts a lone replica. */
    void make() throws IOException, InterruptedException {
        while (!closed && !isMade()) {
            if (replica.leads()) {
                makeAsLeader();
            } else {
                TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            }
        }
        if (!closed && wrote && !isInFile()) {
            Files.deleteIfExists(file);
        }
    }

    /** As {@link #make}, on its own thread, which ends when the cell has a token. */
    void makeInBackground() {
        Thread making = new Thread(
                () -> {
                    try {
                        make();
                    } catch (IOException | RuntimeException failure) {
                        LOG.error("file={}: the first token of the cell could not be made", file, failure);
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                },
                "first-token");
        making.setDaemon(true);
        making.start();
    }

    void close() {
        closed = true;
    }

    private boolean isMade() throws IOException {
        return access.keepsFirstToken() ? isInFile() : !replica.tokensByHash().isEmpty();
    }

    private boolean isInFile() throws IOException {
        return Files.exists(file) && replica.tokensByHash().containsKey(TokenSecret.hash(read()));
    }

    private void makeAsLeader() throws IOException, InterruptedException {
        // The level may be reached already. Then this entry only tells that those before it are decided.
        if (!isDone(new Command.RaiseFeatureLevel(EntryCodec.TOKENS_LEVEL)) || isMade()) {
            return;
        }
        if (!access.keepsFirstToken() || !Files.exists(file)) {
            wrote = true;
            DurableFiles.replace(file, TokenSecret.make(replica.cell().text(), new SecureRandom()) + "\n");
        }
        Token token = new Token(NAME, TokenSecret.hash(read()), new TreeSet<>(List.of("operate")), new TreeSet<>(), 0);
        if (isDone(new Command.PutToken(token))) {
            LOG.info("token={} file={}: made", NAME, file);
        }
    }

    /** Returns false if there is no answer, because this replica leads no more. */
    private boolean isDone(Command command) throws IOException, InterruptedException {
        try {
            if (replica.submit(Lane.OPERATORS, SELF, command).join() instanceof CommandResult.Refused refused) {
                throw new IOException("the cell refuses its first token: " + refused.message());
            }
            return true;
        } catch (CompletionException lostTheLead) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            return false;
        }
    }

    private String read() throws IOException {
        if (Files.size(file) > SECRET_LENGTH_MAX) {
            throw new IOException(file + " is no token");
        }
        return Files.readString(file).strip();
    }
}
