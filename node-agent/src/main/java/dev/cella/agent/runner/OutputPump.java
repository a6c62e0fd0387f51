package dev.cella.agent.runner;

import dev.cella.agent.logs.AttemptOutput;
import dev.cella.agent.logs.Stream;
import dev.cella.agent.reconciler.Assignment;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries one stream of a task's output from its pipe to its bounded file, on a thread of its own.
 *
 * <p>Letting the task write the file itself would need no thread, and could not be bounded: who holds the file open can
 * fill the disk between two looks at its size. A task that prints faster than the disk takes is slowed down by the pipe.
 * When the disk takes nothing at all, what is printed is thrown away, for a full disk must not stop a task.
 */
final class OutputPump implements Runnable {
    private static final Logger logger = LoggerFactory.getLogger(OutputPump.class);

    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int STACK_BYTES = 256 * 1024;

    private final Assignment assignment;
    private final InputStream pipe;
    private final AttemptOutput output;
    private final Stream stream;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private boolean failed;

    private OutputPump(Assignment assignment, InputStream pipe, AttemptOutput output, Stream stream) {
        this.assignment = assignment;
        this.pipe = pipe;
        this.output = output;
        this.stream = stream;
    }

    /** Starts to pump; done when the pipe is closed at its other end. */
    static CompletableFuture<Void> start(Assignment assignment, InputStream pipe, AttemptOutput output, Stream stream) {
        OutputPump pump = new OutputPump(assignment, pipe, output, stream);
        Thread thread = new Thread(null, pump, stream.word() + "-" + assignment.placement(), STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        return pump.done;
    }

    @Override
    public void run() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (pipe) {
            for (int length = pipe.read(buffer); length >= 0; length = pipe.read(buffer)) {
                keep(buffer, length);
            }
        } catch (IOException closed) {
            // the process is gone, and its end of the pipe with it
        } finally {
            done.complete(null);
        }
    }

    private void keep(byte[] bytes, int length) {
        try {
            output.append(stream, bytes, length);
        } catch (IOException failure) {
            if (!failed) {
                logger.warn("task={} stream={} event=output-lost", assignment, stream.word(), failure);
            }
            failed = true;
        }
    }
}
