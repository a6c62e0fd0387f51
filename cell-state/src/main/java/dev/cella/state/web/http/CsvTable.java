package dev.cella.state.web.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One list of an answer as comma-separated values (RFC 4180): a line of names, then one line per row. A field inside a field
 * is {@code capacity.cpuMilli}; a list inside a row has its values in one column, separated by spaces. A path such as {@code
 * series.points} has a line for each element of the inner list.
 *
 * <p>A text that a spreadsheet would run as a formula is written after an apostrophe, because names come from users.
 */
final class CsvTable {
    /** Names the answer itself, as one row. */
    private static final String WHOLE = "answer";

    private static final ObjectMapper JSON = new ObjectMapper();

    private CsvTable() {}

    /** The list of that name, or the answer's first list that has rows; the answer itself if it has no list. */
    static String of(Message answer, Optional<String> name, JsonCodec codec) {
        List<FieldDescriptor> lists = lists(answer);
        if (name.equals(Optional.of(WHOLE)) || (name.isEmpty() && lists.isEmpty())) {
            return text(List.of(row("", answer, codec, Set.of())));
        }
        List<String> path = name.map(said -> List.of(said.split("\\.", -1)))
                .orElseGet(() -> List.of(firstWithRows(answer, lists).getJsonName()));
        List<Map<String, String>> rows = new ArrayList<>();
        addRows(answer, path, "", Map.of(), codec, rows);
        return text(rows);
    }

    /** The calls of an OpenAPI document. */
    static String ofCalls(JsonNode openApi) {
        List<Map<String, String>> rows = new ArrayList<>();
        openApi.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(verb -> {
                    Map<String, String> row = new LinkedHashMap<>();
                    row.put("method", verb.getKey().toUpperCase(Locale.ROOT));
                    row.put("path", path.getKey());
                    row.put("summary", verb.getValue().path("summary").asText());
                    row.put(
                            "parameters",
                            String.join(" ", verb.getValue().path("parameters").findValuesAsText("name")));
                    rows.add(row);
                }));
        return text(rows);
    }

    private static List<FieldDescriptor> lists(Message answer) {
        return answer.getDescriptorForType().getFields().stream()
                .filter(field -> field.isRepeated() && !field.isMapField())
                .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .toList();
    }

    private static FieldDescriptor firstWithRows(Message answer, List<FieldDescriptor> lists) {
        return lists.stream()
                .filter(field -> answer.getRepeatedFieldCount(field) > 0)
                .findFirst()
                .orElse(lists.get(0));
    }

    /** Adds a row for each element at the end of the path; the fields of the elements before it come first. */
    private static void addRows(
            Message message,
            List<String> path,
            String prefix,
            Map<String, String> outer,
            JsonCodec codec,
            List<Map<String, String>> rows) {
        FieldDescriptor list = list(message, path.get(0));
        for (int place = 0; place < message.getRepeatedFieldCount(list); place++) {
            Message element = (Message) message.getRepeatedField(list, place);
            Map<String, String> row = new LinkedHashMap<>(outer);
            if (path.size() == 1) {
                row.putAll(row(prefix, element, codec, Set.of()));
                rows.add(row);
            } else {
                Set<String> inner = lists(element).stream()
                        .map(FieldDescriptor::getJsonName)
                        .collect(Collectors.toSet());
                row.putAll(row(prefix, element, codec, inner));
                addRows(element, path.subList(1, path.size()), prefix + path.get(1) + ".", row, codec, rows);
            }
        }
    }

    private static FieldDescriptor list(Message message, String name) {
        List<FieldDescriptor> lists = lists(message);
        return lists.stream()
                .filter(field -> field.getJsonName().equals(name))
                .findFirst()
                .orElseThrow(() -> Problem.badRequest(List.of(Fault.of(
                        "table",
                        "must be one of "
                                + Stream.concat(lists.stream().map(FieldDescriptor::getJsonName), Stream.of(WHOLE))
                                        .collect(Collectors.joining(", "))))));
    }

    private static Map<String, String> row(String prefix, Message element, JsonCodec codec, Set<String> without) {
        Map<String, String> row = new LinkedHashMap<>();
        read(codec.write(element)).properties().stream()
                .filter(field -> !without.contains(field.getKey()))
                .forEach(field -> flatten(prefix + field.getKey(), field.getValue(), row));
        return row;
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading what was just written", impossible);
        }
    }

    private static void flatten(String name, JsonNode value, Map<String, String> into) {
        if (value.isObject()) {
            value.properties().forEach(field -> flatten(name + "." + field.getKey(), field.getValue(), into));
        } else if (value.isArray()) {
            List<String> values = new ArrayList<>();
            value.forEach(each -> values.add(each.isValueNode() ? each.asText() : each.toString()));
            into.put(name, String.join(" ", values));
        } else {
            into.put(name, value.isTextual() ? harmless(value.asText()) : value.asText());
        }
    }

    private static String harmless(String text) {
        return !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    }

    private static String text(List<Map<String, String>> rows) {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.addAll(row.keySet()));
        StringBuilder text = new StringBuilder();
        line(text, List.copyOf(names));
        rows.forEach(row -> line(
                text, names.stream().map(name -> row.getOrDefault(name, "")).toList()));
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> values) {
        text.append(values.stream().map(CsvTable::quoted).collect(Collectors.joining(",")))
                .append("\r\n");
    }

    private static String quoted(String value) {
        return value.matches("[^\",\r\n]*") ? value : "\"" + value.replace("\"", "\"\"") + "\"";
    }
}
