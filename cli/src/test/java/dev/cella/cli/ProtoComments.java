package dev.cella.cli;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.cella.client.proto.Common;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The comments of messages and fields in the .proto files; generated classes do not have them. */
final class ProtoComments {
    private static final Path FOLDER = Path.of("../cell-client/src/main/proto/cella/v1");
    private static final Pattern COMMENT = Pattern.compile(" *// ?(.*)");
    private static final Pattern MESSAGE = Pattern.compile("message (\\w+) \\{.*");
    private static final Pattern FIELD =
            Pattern.compile(" +(?:optional |repeated )?(?:map<[^>]+>|[\\w.]+) (\\w+) = \\d+.*;");
    private static final String BEFORE_DEFAULT = "; ";

    private final Map<String, String> comments = new HashMap<>();

    static ProtoComments of(String... files) throws IOException {
        ProtoComments read = new ProtoComments();
        for (String file : files) {
            read.read(Files.readAllLines(FOLDER.resolve(file)));
        }
        return read;
    }

    private void read(List<String> lines) {
        String message = "";
        List<String> comment = new ArrayList<>();
        for (String line : lines) {
            Matcher text = COMMENT.matcher(line);
            if (text.matches()) {
                comment.add(text.group(1));
                continue;
            }
            Matcher begin = MESSAGE.matcher(line);
            Matcher field = FIELD.matcher(line);
            if (begin.matches()) {
                message = begin.group(1);
                comments.put(message, String.join(" ", comment));
            } else if (field.matches()) {
                comments.put(message + "." + field.group(1), String.join(" ", comment));
            }
            comment.clear();
        }
    }

    /** The comment of a message; empty if it has none. */
    String of(Descriptor message) {
        return comments.getOrDefault(message.getName(), "");
    }

    /** The comment of a field, without the default at its end. */
    String meaning(FieldDescriptor field) {
        String comment = comment(field);
        int end = endOfMeaning(field, comment);
        return end < 0 ? comment : comment.substring(0, end) + ".";
    }

    /** The default that ends the comment of a field, after a semicolon. */
    Optional<String> fallback(FieldDescriptor field) {
        String comment = comment(field);
        int end = endOfMeaning(field, comment);
        return end < 0
                ? Optional.empty()
                : Optional.of(comment.substring(end + BEFORE_DEFAULT.length()).replaceFirst("\\.$", ""));
    }

    /** A required field has no default. */
    private static int endOfMeaning(FieldDescriptor field, String comment) {
        return field.getOptions().getExtension(Common.required) ? -1 : comment.lastIndexOf(BEFORE_DEFAULT);
    }

    private String comment(FieldDescriptor field) {
        String comment = comments.getOrDefault(field.getContainingType().getName() + "." + field.getName(), "");
        if (comment.isEmpty()) {
            throw new AssertionError(field.getFullName() + " has no comment, which would be its line on a page");
        }
        return comment;
    }
}
