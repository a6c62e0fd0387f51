package dev.cella.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.cella.client.json.JsonSchema;
import dev.cella.client.json.JsonSchema.Direction;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The types of the fields of a file in words, from the schema that editors get. */
final class FieldTypes {
    private static final String PREFIX = "#";

    private FieldTypes() {}

    static String of(FieldDescriptor field) {
        return of(new JsonSchema(Direction.REQUEST, PREFIX).ofField(field));
    }

    private static String of(JsonNode schema) {
        if (schema.has("$ref")) {
            String name = schema.get("$ref").asText().substring(PREFIX.length());
            return "[" + name + "](#" + name.toLowerCase(Locale.ROOT) + ")";
        }
        if (schema.has("enum")) {
            return StreamSupport.stream(schema.get("enum").spliterator(), false)
                    .map(value -> "`" + value.asText() + "`")
                    .collect(Collectors.joining(", "));
        }
        return switch (schema.path("type").asText()) {
            case "array" -> "list of " + of(schema.get("items"));
            case "object" ->
                schema.has("additionalProperties")
                        ? "map of name to " + of(schema.get("additionalProperties"))
                        : "object";
            case "integer" -> "whole number";
            case "boolean" -> "`true`, `false`";
            case "string" -> schema.has("pattern") ? "duration" : "text";
            default -> throw new AssertionError("no words for " + schema);
        };
    }
}
