package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The expected answers, one file each: every field, in order, with its value unless the value differs between runs. {@code
 * -Dcella.golden.write=true} writes the files again; read the difference before you commit it.
 */
final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/dev/cella/state/web");
    private static final Set<String> DIFFERENT_EACH_TIME = Set.of(
            "version",
            "incarnation",
            "address",
            "nextPageToken",
            "placement",
            "session",
            "basis",
            "saidAgo",
            "at",
            "firstAt",
            "lastAt",
            "counted",
            "claimsAcceptedPerSecond",
            "claimsConflictedPerSecond",
            "expiresIn",
            "conflictsPerSecond");

    private static final ObjectMapper JSON = new ObjectMapper();

    private Golden() {}

    static void check(String name, JsonNode answer) {
        JsonNode normal = answer.deepCopy();
        normalise(normal);
        Path file = FOLDER.resolve(name + ".json");
        try {
            String text = pretty(normal);
            if (Boolean.getBoolean("cella.golden.write")) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, text);
            }
            assertThat(text).isEqualTo(Files.readString(file));
        } catch (IOException failure) {
            throw new AssertionError(file.toString(), failure);
        }
    }

    private static String pretty(JsonNode node) throws IOException {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        return JSON.writer(new DefaultPrettyPrinter()
                                .withObjectIndenter(indenter)
                                .withArrayIndenter(indenter))
                        .writeValueAsString(node)
                + "\n";
    }

    private static void normalise(JsonNode node) {
        if (node instanceof ArrayNode array) {
            array.forEach(Golden::normalise);
        }
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                if (differsEachTime(name)) {
                    object.set(name, TextNode.valueOf("<" + kind(object.get(name)) + ">"));
                } else {
                    normalise(object.get(name));
                }
            }
        }
    }

    private static boolean differsEachTime(String name) {
        return DIFFERENT_EACH_TIME.contains(name) || name.endsWith("Version") || name.endsWith("At");
    }

    private static String kind(JsonNode value) {
        return value.isNumber() ? "number" : "text";
    }
}
