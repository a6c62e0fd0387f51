package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.core.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/**
 * The parts of a process. They are started one after another, and closed in the reverse order when the process is told to
 * leave (Ctrl-C, SIGTERM), when the next part does not start, or when one cannot go on. The process does not wait for a part
 * that does not close in time: it was interrupted, and ends with that exit code.
 *
 * <p>The main thread starts parts; it or the JVM's shutdown thread closes them. The lock is this object.
 */
public final class Parts {
    private static final Duration CLOSE_MAX = Duration.ofMillis(4500);
    private static final Duration REMOVE_MAX = Duration.ofMillis(400);

    private final Terminal terminal;
    private final Interruption interruption;
    private final CompletableFuture<CommandFailure> ended = new CompletableFuture<>();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** The parts that are folders. They are removed without the lock: a part that does not close holds it. */
    private final Queue<TemporaryFolder> temporary = new ConcurrentLinkedQueue<>();

    private boolean closed;
    private volatile boolean leaving;

    public Parts(Terminal terminal) {
        this.terminal = terminal;
        this.interruption = Interruption.answeredBy(this::leave);
    }

    /** Makes a folder that is removed after the later parts are closed, and also when a part does not close in time. */
    public Path temporaryFolder(String prefix) throws Exception {
        TemporaryFolder folder = start(() -> new TemporaryFolder(Files.createTempDirectory(prefix)));
        temporary.add(folder);
        return folder.path();
    }

    private record TemporaryFolder(Path path) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            DurableFiles.removeTree(path);
        }
    }

    /** Starts a part. If that fails, the earlier parts are closed. */
    public <P extends AutoCloseable> P start(Callable<P> starter) throws Exception {
        try {
            P part = starter.call();
            keep(part);
            return part;
        } catch (Exception failure) {
            passOverWhileLeaving();
            close();
            throw failure;
        }
    }

    /** A failure caused by closing the parts is not reported: this thread stays here until the process has ended. */
    public void passOverWhileLeaving() throws InterruptedException {
        if (leaving) {
            new CountDownLatch(1).await();
        }
    }

    /** If the process is leaving while a part starts, the part is closed at once. */
    private synchronized void keep(AutoCloseable part) {
        if (closed) {
            close(part);
        } else {
            parts.push(part);
        }
    }

    /** When this future completes, a part cannot go on: {@link #run} closes the others and gives the reason. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the telling
    public void endWith(CompletableFuture<String> partEnded, String hint) {
        partEnded.thenAccept(why -> end(CommandFailure.failed(why, hint)));
    }

    /** A part that was closed needs no reason. */
    private synchronized void end(CommandFailure why) {
        if (!closed) {
            ended.complete(why);
        }
    }

    /** Waits until a part cannot go on; a signal ends the process from here. */
    public CommandFailure run() throws InterruptedException {
        try {
            CommandFailure why = ended.get();
            close();
            return why;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The work is over: closes them all, in the reverse order. */
    public void close() {
        interruption.close();
        closeAll();
    }

    private void leave() {
        leaving = true;
        Thread watch = new Thread(this::haltInTime, "halt");
        watch.setDaemon(true);
        watch.start();
        terminal.say("stopping");
        closeAll();
    }

    /** To remove a large folder may take long, and the process does not wait for it either. */
    private void haltInTime() {
        try {
            Thread.sleep(CLOSE_MAX.toMillis());
            Thread removal = new Thread(() -> temporary.forEach(this::close), "remove");
            removal.start();
            removal.join(REMOVE_MAX.toMillis());
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void closeAll() {
        closed = true;
        while (!parts.isEmpty()) {
            close(parts.pop());
        }
    }

    private void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception failure) {
            terminal.say("error: " + part.getClass().getSimpleName() + " did not close well: " + failure.getMessage());
        }
    }
}
