package dev.cella.client.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Writes messages by their descriptors: zero, false and empty values are written, absent ones are left out. */
final class MessageWriter {
    private final JsonGenerator out;
    private final Shapes shapes;

    MessageWriter(JsonGenerator out, Shapes shapes) {
        this.out = out;
        this.shapes = shapes;
    }

    void writeMessage(Message message) throws IOException {
        if (message instanceof Duration duration) {
            out.writeString(Durations.write(duration));
        } else if (message instanceof Timestamp time) {
            out.writeString(Times.write(time));
        } else if (message instanceof Struct struct) {
            writeStruct(struct);
        } else if (message instanceof ListValue list) {
            writeListValue(list);
        } else if (message instanceof Value value) {
            writeValue(value);
        } else {
            writeFields(message);
        }
    }

    private void writeFields(Message message) throws IOException {
        out.writeStartObject();
        for (FieldDescriptor field : shapes.of(message.getDescriptorForType()).fields()) {
            if (exists(message, field)) {
                out.writeFieldName(field.getJsonName());
                writeField(field, message.getField(field));
            }
        }
        out.writeEndObject();
    }

    /**
     * Returns whether a field is printed. A field that is not built yet would be refused if it came back, so it is left out
     * while it is empty; an enum's zero value has no word.
     */
    private static boolean exists(Message message, FieldDescriptor field) {
        if (field.isRepeated()) {
            return Shape.isPrintedEmpty(field) || message.getRepeatedFieldCount(field) > 0;
        }
        if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
            return ((EnumValueDescriptor) message.getField(field)).getNumber() != 0;
        }
        return field.hasPresence() ? message.hasField(field) : true;
    }

    private void writeField(FieldDescriptor field, Object value) throws IOException {
        if (field.isMapField()) {
            writeMap(field, (List<?>) value);
        } else if (field.isRepeated()) {
            writeList(field, (List<?>) value);
        } else {
            writeSingle(field, value);
        }
    }

    private void writeMap(FieldDescriptor field, List<?> entries) throws IOException {
        FieldDescriptor valueField = field.getMessageType().findFieldByName("value");
        out.writeStartObject();
        for (Object each : entries) {
            MapEntry<?, ?> entry = (MapEntry<?, ?>) each;
            out.writeFieldName(entry.getKey().toString());
            writeSingle(valueField, entry.getField(valueField));
        }
        out.writeEndObject();
    }

    private void writeList(FieldDescriptor field, List<?> elements) throws IOException {
        out.writeStartArray();
        for (Object element : elements) {
            writeSingle(field, element);
        }
        out.writeEndArray();
    }

    private void writeSingle(FieldDescriptor field, Object value) throws IOException {
        switch (field.getJavaType()) {
            case INT -> out.writeNumber((int) value);
            case LONG -> out.writeNumber((long) value);
            case BOOLEAN -> out.writeBoolean((boolean) value);
            case STRING -> out.writeString((String) value);
            case ENUM -> writeWord((EnumValueDescriptor) value);
            case BYTE_STRING -> out.writeString(Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
            case MESSAGE -> writeMessage((Message) value);
            case DOUBLE -> writeNumber((double) value);
            case FLOAT -> throw new IllegalStateException("the contract has no such number: " + field);
        }
    }

    /** A value from a newer peer has a number only. */
    private void writeWord(EnumValueDescriptor value) throws IOException {
        if (value.getIndex() < 0) {
            out.writeNumber(value.getNumber());
        } else {
            out.writeString(shapes.of(value.getType()).word(value));
        }
    }

    private void writeStruct(Struct struct) throws IOException {
        out.writeStartObject();
        for (Map.Entry<String, Value> entry : struct.getFieldsMap().entrySet()) {
            out.writeFieldName(entry.getKey());
            writeValue(entry.getValue());
        }
        out.writeEndObject();
    }

    private void writeListValue(ListValue list) throws IOException {
        out.writeStartArray();
        for (Value value : list.getValuesList()) {
            writeValue(value);
        }
        out.writeEndArray();
    }

    private void writeValue(Value value) throws IOException {
        switch (value.getKindCase()) {
            case NULL_VALUE, KIND_NOT_SET -> out.writeNull();
            case BOOL_VALUE -> out.writeBoolean(value.getBoolValue());
            case NUMBER_VALUE -> writeNumber(value.getNumberValue());
            case STRING_VALUE -> out.writeString(value.getStringValue());
            case STRUCT_VALUE -> writeStruct(value.getStructValue());
            case LIST_VALUE -> writeListValue(value.getListValue());
        }
    }

    /** A whole number is printed as one: 3, not 3.0. */
    private void writeNumber(double number) throws IOException {
        if (number == Math.rint(number) && Math.abs(number) <= WholeNumbers.MAX) {
            out.writeNumber((long) number);
        } else {
            out.writeNumber(number);
        }
    }
}
