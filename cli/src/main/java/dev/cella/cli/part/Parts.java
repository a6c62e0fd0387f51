package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.Terminal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/**
 * What a process runs: parts that are started one after another, and closed in the reverse order when the process is told
 * to go (Ctrl-C, SIGTERM), when the next part does not start, or when one cannot go on. A part that does not close in
 * time is left behind: the process goes.
 *
 * <p>Parts are started by the main thread and closed by that or by the one that the JVM leaves on; the lock is this
 * object.
 */
public final class Parts {
    private static final Duration CLOSE_MAX = Duration.ofMillis(4500);

    private final Terminal terminal;
    private final Interruption interruption;
    private final CompletableFuture<CommandFailure> ended = new CompletableFuture<>();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private boolean closed;
    private volatile boolean leaving;

    public Parts(Terminal terminal) {
        this.terminal = terminal;
        this.interruption = Interruption.answeredBy(this::leave);
    }

    /** Starts a part; if it does not, those before it are closed. */
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

    /** A process that is leaving while a part starts closes it at once. */
    private synchronized void keep(AutoCloseable part) {
        if (closed) {
            close(part);
        } else {
            parts.push(part);
        }
    }

    /** When that is completed, a part cannot go on: {@link #run} closes the others and says why. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the telling
    public void endWith(CompletableFuture<String> partEnded, String hint) {
        partEnded.thenAccept(why -> end(CommandFailure.failed(why, hint)));
    }

    /** A part that was closed has nothing to say. */
    private synchronized void end(CommandFailure why) {
        if (!closed) {
            ended.complete(why);
        }
    }

    /** Stays until a part cannot go on; a signal ends the process from here. */
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
        Thread watch = new Thread(Parts::haltInTime, "halt");
        watch.setDaemon(true);
        watch.start();
        terminal.say("stopping");
        closeAll();
    }

    private static void haltInTime() {
        try {
            Thread.sleep(CLOSE_MAX.toMillis());
            Runtime.getRuntime().halt(1);
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
