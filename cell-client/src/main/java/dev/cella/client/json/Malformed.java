package dev.cella.client.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.yaml.JacksonYAMLParseException;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Explains in one line, without the parser's own names, why a text is neither JSON nor YAML. */
final class Malformed {
    private Malformed() {}

    static void describe(JsonProcessingException malformed, Faults faults) {
        if (malformed instanceof StreamConstraintsException) {
            faults.addFirst(place(malformed.getLocation()), beyond(malformed.getOriginalMessage()));
        } else if (malformed.getCause() instanceof MarkedYAMLException yaml) {
            faults.addFirst(place(yaml.getProblemMark()), "is not YAML: " + oneLine(yaml.getProblem()));
        } else if (malformed instanceof JacksonYAMLParseException) {
            faults.addFirst(place(malformed.getLocation()), "is not YAML: " + oneLine(malformed.getOriginalMessage()));
        } else {
            faults.addFirst(
                    place(malformed.getLocation()), "cannot be read: " + oneLine(malformed.getOriginalMessage()));
        }
    }

    /** The parser's limits, of which only its message says which one it was. */
    private static String beyond(String message) {
        if (message.contains("nesting depth")) {
            return "is nested too deep: at most " + JsonCodec.NESTING_MAX + " levels";
        }
        return message.startsWith("Number")
                ? "has too long a number: at most " + StreamReadConstraints.DEFAULT_MAX_NUM_LEN + " characters"
                : "has too long a name: at most " + StreamReadConstraints.DEFAULT_MAX_NAME_LEN + " characters";
    }

    private static Location place(JsonLocation location) {
        return location == null ? Location.NOWHERE : new Location(location.getLineNr(), location.getColumnNr());
    }

    private static Location place(Mark mark) {
        return mark == null ? Location.NOWHERE : new Location(mark.getLine() + 1, mark.getColumn() + 1);
    }

    /** The parsers append internal state; only their first words are for people. */
    private static String oneLine(String message) {
        String line = message.lines().findFirst().orElse("");
        return line.replaceFirst(
                "(, got this instead| \\(start marker at|: enable `| \\(not recognized as one since).*", "");
    }
}
