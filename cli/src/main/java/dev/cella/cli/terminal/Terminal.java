package dev.cella.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The three streams of a command and its surroundings. Data goes to {@code out}, which is buffered: a command flushes
 * it when a person waits for the output. Messages go to {@code err}.
 */
public record Terminal(PrintStream out, PrintStream err, InputStream in, Environment environment) {
    /** UTF-8 in every locale: the content of tasks' output and files is passed on unchanged. */
    public static Terminal ofThisProcess() {
        return new Terminal(
                stream(FileDescriptor.out, false),
                stream(FileDescriptor.err, true),
                System.in,
                Environment.ofThisProcess());
    }

    private static PrintStream stream(FileDescriptor descriptor, boolean flushing) {
        return new PrintStream(
                new BufferedOutputStream(new FileOutputStream(descriptor)), flushing, StandardCharsets.UTF_8);
    }

    /** The same terminal with another destination for its data. */
    public Terminal withOutput(OutputStream output) {
        return new Terminal(new PrintStream(output, false, StandardCharsets.UTF_8), err, in, environment);
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
