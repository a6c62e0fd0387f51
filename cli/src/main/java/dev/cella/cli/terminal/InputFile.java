package dev.cella.cli.terminal;

import com.google.protobuf.Message;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Located;
import dev.cella.client.json.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A file that a person wrote, in YAML or JSON, or {@code -} for standard input.
 *
 * @param name as it was typed
 * @param what the expected content, in a word
 * @param hint the advice for a fault that has none of its own
 */
public record InputFile(String name, String what, String hint, Terminal terminal) {
    private static final String STANDARD_INPUT = "-";

    /** More than the text that the codec reads. */
    private static final int BYTES_MAX = 8 << 20;

    /** Reads the content by the rules of the wire contract. Reports all faults at once, each with line and column. */
    public <M extends Message> Located<M> read(M type) {
        return read(type, new JsonCodec());
    }

    /** The same with a codec that knows more rules. */
    public <M extends Message> Located<M> read(M type, JsonCodec codec) {
        return read(type, content(), codec);
    }

    /** The same for content that was read before. */
    public <M extends Message> Located<M> read(M type, byte[] content) {
        return read(type, content, new JsonCodec());
    }

    private <M extends Message> Located<M> read(M type, byte[] content, JsonCodec codec) {
        try {
            return codec.readLocated(type, Source.file(name, content));
        } catch (BadInput bad) {
            throw refuse(bad.faults());
        }
    }

    /** Ends the command with faults in the file's content. */
    public CommandFailure refuse(List<Fault> faults) {
        Optional<String> ownHint = faults.size() == 1 ? faults.get(0).hint() : Optional.empty();
        return new CommandFailure(
                ExitCode.FAILED, faults.stream().map(this::describe).toList(), ownHint.orElse(hint));
    }

    private String describe(Fault fault) {
        return name + lineOf(fault) + ": " + fault.sentence();
    }

    private static String lineOf(Fault fault) {
        return fault.line() > 0 ? ":" + fault.line() + ":" + fault.column() : "";
    }

    /** The place of that field, as a fault in it would begin: {@code job.yaml:3:8: count}. */
    public String place(String field, Located<?> read) {
        Fault nothing = read.locate(List.of(Fault.of(field, ""))).get(0);
        return name + lineOf(nothing) + ": " + field;
    }

    /** Its content; standard input can be read once. */
    public byte[] content() {
        Path path = terminal.environment().path(name);
        try {
            return whole(name.equals(STANDARD_INPUT) ? terminal.in().readNBytes(BYTES_MAX + 1) : beginning(path));
        } catch (IOException e) {
            throw CommandFailure.failed(
                    name + " cannot be read: " + reason(path, e),
                    "name a " + what + " file, or - to read the " + what + " from standard input");
        }
    }

    private static byte[] beginning(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(BYTES_MAX + 1);
        }
    }

    private byte[] whole(byte[] beginning) {
        if (beginning.length > BYTES_MAX) {
            throw CommandFailure.failed(
                    name + " is too large to be a " + what, "it has at most " + Words.bytes(BYTES_MAX));
        }
        return beginning;
    }

    private static String reason(Path path, IOException failure) {
        return Files.isDirectory(path) ? "it is a directory" : FileWords.reason(failure);
    }
}
