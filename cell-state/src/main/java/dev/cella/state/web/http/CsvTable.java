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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One list of an answer as comma-separated values (RFC 4180): a line of names, then one line per row. A field inside a field
 * is {@code capacity.cpuMilli}; a list inside a row has its values in one column, separated by spaces.
 *
 * <p>A text that a spreadsheet would run as a formula is written after an apostrophe, because names come from users.
 */
final class CsvTable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private CsvTable() {}

    /** The list of that name, or the answer's first list that has rows. */
    static String of(Message answer, Optional<String> name, JsonCodec codec) {
        FieldDescriptor list = list(answer, name);
        List<Map<String, String>> rows = new ArrayList<>();
        for (int place = 0; place < answer.getRepeatedFieldCount(list); place++) {
            Map<String, String> row = new LinkedHashMap<>();
            flatten("", read(codec.write((Message) answer.getRepeatedField(list, place))), row);
            rows.add(row);
        }
        return text(rows);
    }

    private static FieldDescriptor list(Message answer, Optional<String> name) {
        List<FieldDescriptor> lists = answer.getDescriptorForType().getFields().stream()
                .filter(field -> field.isRepeated() && !field.isMapField())
                .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .toList();
        if (lists.isEmpty()) {
            throw Problem.badRequest(List.of(Fault.of("format", "csv is for lists, and this answer has none")));
        }
        if (name.isEmpty()) {
            return lists.stream()
                    .filter(field -> answer.getRepeatedFieldCount(field) > 0)
                    .findFirst()
                    .orElse(lists.get(0));
        }
        return lists.stream()
                .filter(field -> field.getJsonName().equals(name.get()))
                .findFirst()
                .orElseThrow(() -> Problem.badRequest(List.of(Fault.of(
                        "table",
                        "must be one of "
                                + lists.stream()
                                        .map(FieldDescriptor::getJsonName)
                                        .collect(Collectors.joining(", "))))));
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
            value.properties()
                    .forEach(field -> flatten(
                            name.isEmpty() ? field.getKey() : name + "." + field.getKey(), field.getValue(), into));
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
