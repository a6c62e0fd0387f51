package dev.cella.simulator.experiment;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Writes maps, collections, numbers and text as JSON or YAML, one line each. */
public final class DataText {
    private static final String INDENT = "  ";
    private static final char CONTROL_END = 0x20;

    private DataText() {}

    public static String json(Object data) {
        return json(data, "");
    }

    private static String json(Object data, String indent) {
        if (data instanceof Map<?, ?> map) {
            List<String> members = map.entrySet().stream()
                    .map(each -> quoted(each.getKey().toString()) + ": " + json(each.getValue(), indent + INDENT))
                    .toList();
            return block("{", members, "}", indent);
        }
        if (data instanceof Collection<?> list) {
            return block(
                    "[", list.stream().map(each -> json(each, indent + INDENT)).toList(), "]", indent);
        }
        return scalar(data);
    }

    private static String block(String begin, List<String> members, String end, String indent) {
        if (members.isEmpty()) {
            return begin + end;
        }
        String separator = "\n" + indent + INDENT;
        return begin + separator + String.join("," + separator, members) + "\n" + indent + end;
    }

    public static String yaml(Object data) {
        return yaml(data, "").stripLeading();
    }

    /** A block begins on the line after its key. */
    private static String yaml(Object data, String indent) {
        if (data instanceof Map<?, ?> map && !map.isEmpty()) {
            StringBuilder text = new StringBuilder();
            map.forEach((key, value) ->
                    text.append('\n').append(indent).append(key).append(':').append(yamlValue(value, indent)));
            return text.toString();
        }
        if (data instanceof Collection<?> list && !list.isEmpty()) {
            StringBuilder text = new StringBuilder();
            list.forEach(each -> text.append('\n')
                    .append(indent)
                    .append("- ")
                    .append(yaml(each, indent + INDENT).stripLeading()));
            return text.toString();
        }
        return json(data);
    }

    private static String yamlValue(Object value, String indent) {
        String text = yaml(value, indent + INDENT);
        return text.startsWith("\n") ? text : " " + text;
    }

    private static String scalar(Object data) {
        return data instanceof Number || data instanceof Boolean ? data.toString() : quoted(data.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < CONTROL_END) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
