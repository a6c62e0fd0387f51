package dev.cella.cli.job;

import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.TaskOutput;
import dev.cella.client.proto.LogsQuery;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/**
 * The output of one attempt of a task. A log that is followed goes on when its connection breaks: this asks again, and skips
 * what it has read before. So a reader gets each byte once. Any other log ends with {@link CellUnreachable}.
 *
 * <p>Owned by its reader's thread.
 */
final class AttemptOutput extends InputStream {
    private final HttpCell cell;
    private final String task;
    private final LogsQuery query;
    private final AwayPatience patience;
    private final Terminal terminal;
    private TaskOutput answer;

    /** Where in the attempt's output the next byte is. */
    private long position;

    /** Asks for it. A refusal is thrown. */
    AttemptOutput(HttpCell cell, String task, LogsQuery query, AwayPatience patience, Terminal terminal) {
        this.cell = cell;
        this.task = task;
        this.query = query;
        this.patience = patience;
        this.terminal = terminal;
        this.answer = cell.taskLogs(query);
        this.position = answer.offset();
        sayDropped();
    }

    /** On standard error, so that the output stays the task's own. */
    private void sayDropped() {
        if (answer.droppedBytes() > 0) {
            terminal.say("note:  " + task + ": the first " + Words.bytes(answer.droppedBytes())
                    + " are not kept; the agent keeps " + Words.bytes(answer.limitBytes())
                    + " of each stream (cella agent --log-limit-mib)");
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        while (true) {
            try {
                int read = answer.bytes().read(buffer, offset, length);
                position += Math.max(0, read);
                return read;
            } catch (IOException broken) {
                goOn(brokeOff(broken));
            }
        }
    }

    private CellUnreachable brokeOff(IOException broken) {
        return CellUnreachable.brokeOff(cell.address(), "the log of " + task, broken);
    }

    private void goOn(CellUnreachable brokeOff) throws InterruptedIOException {
        if (!query.getFollow()) {
            throw brokeOff;
        }
        leave(answer);
        try {
            answer = patience.askAgain(this::rest);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("reading the log of " + task);
        }
    }

    private static void leave(TaskOutput broken) {
        try {
            broken.close();
        } catch (IOException alreadyBroken) {
            // Nothing more is wanted of it.
        }
    }

    /** All that is kept, without what was read before. */
    private TaskOutput rest() {
        TaskOutput all = cell.taskLogs(query.toBuilder().clearTail().build());
        if (all.offset() > position) {
            terminal.say("note:  " + task + ": " + Words.bytes(all.offset() - position)
                    + " that came while the cell was away are not kept");
            position = all.offset();
        }
        try {
            all.bytes().skipNBytes(position - all.offset());
        } catch (EOFException shorter) {
            // The agent has less than was read, so nothing is left to read.
        } catch (IOException broken) {
            leave(all);
            throw brokeOff(broken);
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        answer.close();
    }
}
