package dev.cella.client.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.cella.client.proto.Common;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * JSON Schema (2020-12) of the messages that {@link JsonCodec} reads and writes, made from the same descriptors.
 *
 * <p>A request may omit fields that are not required and must not contain unknown ones. An answer always has its numbers,
 * texts and lists, and may have more fields than a reader knows. Used once, by one thread.
 */
public final class JsonSchema {
    /** The direction of the messages. */
    public enum Direction {
        REQUEST,
        /** A request in a file that a person wrote: a text may be written as a number or as true. */
        FILE,
        ANSWER
    }

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String DURATION = "^(0|([0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h|d))+)$";

    private final Direction direction;
    private final String referencePrefix;
    private final Shapes shapes = new Shapes();
    private final Map<String, ObjectNode> definitions = new LinkedHashMap<>();
    private final Deque<Descriptor> open = new ArrayDeque<>();

    /**
     * No definitions yet.
     *
     * @param referencePrefix the place of the definitions in the document: {@code #/$defs/}
     */
    public JsonSchema(Direction direction, String referencePrefix) {
        this.direction = direction;
        this.referencePrefix = referencePrefix;
    }

    /** A whole document about one message. */
    public static ObjectNode document(Descriptor type, Direction direction) {
        JsonSchema schema = new JsonSchema(direction, "#/$defs/");
        ObjectNode document = NODES.objectNode().put("$schema", "https://json-schema.org/draft/2020-12/schema");
        document.set("$ref", schema.reference(type).get("$ref"));
        ObjectNode definitions = document.putObject("$defs");
        schema.definitions().forEach(definitions::set);
        return document;
    }

    /** A reference to the message's definition, which is made if it does not exist yet. */
    public ObjectNode reference(Descriptor type) {
        String name = type.getName();
        if (!definitions.containsKey(name)) {
            definitions.put(name, NODES.objectNode());
            open.add(type);
        }
        return NODES.objectNode().put("$ref", referencePrefix + name);
    }

    /** All definitions in use, with those that they refer to. */
    public Map<String, ObjectNode> definitions() {
        for (Descriptor type = open.poll(); type != null; type = open.poll()) {
            definitions.put(type.getName(), define(type));
        }
        return definitions;
    }

    private ObjectNode define(Descriptor type) {
        ObjectNode definition = NODES.objectNode().put("type", "object");
        ObjectNode properties = definition.putObject("properties");
        ArrayNode required = NODES.arrayNode();
        for (FieldDescriptor field : shapes.of(type).fields()) {
            properties.set(field.getJsonName(), ofField(field));
            if (isRequired(field)) {
                required.add(field.getJsonName());
            }
        }
        if (!required.isEmpty()) {
            definition.set("required", required);
        }
        if (direction != Direction.ANSWER) {
            definition.put("additionalProperties", false);
        }
        return definition;
    }

    private boolean isRequired(FieldDescriptor field) {
        if (direction != Direction.ANSWER) {
            return field.getOptions().getExtension(Common.required);
        }
        if (field.isRepeated()) {
            return Shape.isPrintedEmpty(field);
        }
        return !field.hasPresence() && field.getJavaType() != FieldDescriptor.JavaType.ENUM;
    }

    /** The schema of a field's value: one value, a list, or an object of values. */
    public ObjectNode ofField(FieldDescriptor field) {
        if (field.isMapField()) {
            ObjectNode map = NODES.objectNode().put("type", "object");
            map.set("additionalProperties", ofValue(field.getMessageType().findFieldByName("value")));
            return map;
        }
        if (field.isRepeated()) {
            ObjectNode list = NODES.objectNode().put("type", "array");
            list.set("items", ofValue(field));
            return list;
        }
        return ofValue(field);
    }

    private ObjectNode ofValue(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case INT, LONG -> ofWholeNumber(field);
            case DOUBLE, FLOAT -> NODES.objectNode().put("type", "number");
            case BOOLEAN -> NODES.objectNode().put("type", "boolean");
            case STRING -> text();
            case BYTE_STRING -> NODES.objectNode().put("type", "string").put("contentEncoding", "base64");
            case ENUM -> ofEnum(field.getEnumType());
            case MESSAGE -> ofMessage(field.getMessageType());
        };
    }

    private ObjectNode text() {
        ObjectNode text = NODES.objectNode();
        if (direction == Direction.FILE) {
            text.putArray("type").add("string").add("number").add("boolean");
            return text;
        }
        return text.put("type", "string");
    }

    private ObjectNode ofWholeNumber(FieldDescriptor field) {
        ObjectNode number = NODES.objectNode().put("type", "integer");
        boolean mayBeNegative =
                direction == Direction.ANSWER || field.getOptions().getExtension(Common.negativeToo);
        return mayBeNegative ? number : number.put("minimum", 0);
    }

    private ObjectNode ofEnum(EnumDescriptor type) {
        ObjectNode words = NODES.objectNode().put("type", "string");
        ArrayNode values = words.putArray("enum");
        for (EnumValueDescriptor value : type.getValues()) {
            if (value.getNumber() != 0) {
                String word = shapes.of(type).word(value);
                values.add(word);
                addOtherCase(values, word);
            }
        }
        return words;
    }

    /** People write words in either case. */
    private void addOtherCase(ArrayNode values, String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        if (direction == Direction.FILE && !lower.equals(word)) {
            values.add(lower);
        }
    }

    private ObjectNode ofMessage(Descriptor type) {
        return switch (type.getFullName()) {
            case "google.protobuf.Duration" ->
                NODES.objectNode().put("type", "string").put("pattern", DURATION);
            case "google.protobuf.Timestamp" ->
                NODES.objectNode().put("type", "string").put("format", "date-time");
            case "google.protobuf.Struct" -> NODES.objectNode().put("type", "object");
            case "google.protobuf.ListValue" -> NODES.objectNode().put("type", "array");
            case "google.protobuf.Value" -> NODES.objectNode();
            default -> reference(type);
        };
    }
}
