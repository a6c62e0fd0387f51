package dev.cella.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The three streams of a command and its surroundings. Data goes to {@code out}, which is buffered: a command flushes
 * it when a person waits for the output. Messages go to {@code err}.
 */
public record Terminal(PrintStream out, PrintStream err, InputStream in, Environment environment) {
    /** UTF-8 in every locale: the content of tasks' output and files is passed on unchanged. */
    public static Terminal ofThisProcess() {
        return new Terminal(
                isPipe(Path.of("/proc/self/fd/1"))
                        ? new PrintStream(buffered(FileDescriptor.out), false, StandardCharsets.UTF_8)
                        : new DataStream(buffered(FileDescriptor.out)),
                new PrintStream(buffered(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System.in,
                Environment.ofThisProcess());
    }

    private static OutputStream buffered(FileDescriptor descriptor) {
        return new BufferedOutputStream(new FileOutputStream(descriptor));
    }

    /** A write to a pipe fails only when its reader has left, as {@code head} does: that is no failure of the command. */
    static boolean isPipe(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException | UnsupportedOperationException unknown) {
            return true;
        }
    }

    /** Why data of the command did not reach its file; empty if all of it did. */
    public Optional<IOException> lostData() {
        return out instanceof DataStream data ? data.failure() : Optional.empty();
    }

    /** The same terminal with another destination for its data. */
    public Terminal withOutput(OutputStream output) {
        return new Terminal(new PrintStream(output, false, StandardCharsets.UTF_8), err, in, environment);
    }

    /** The same terminal with one destination for its data and its messages, in their order. */
    Terminal onOnePage(OutputStream page) {
        PrintStream both = new PrintStream(page, false, StandardCharsets.UTF_8);
        return new Terminal(both, both, in, environment);
    }

    /** A line of data. */
    public void print(String line) {
        out.println(line);
    }

    /** A line of message, after the data printed so far. */
    public void say(String message) {
        out.flush();
        err.println(message);
    }

    public void complain(CommandFailure failure) {
        failure.errors().forEach(error -> say("error: " + error));
        if (!failure.hint().isEmpty()) {
            say("hint:  " + failure.hint());
        }
    }
}
