package dev.cella.client.json;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import java.util.List;
import java.util.Random;

/** Messages with every field set to something, from one seed. Texts are such as a careless printer would mangle. */
final class RandomMessages {
    private static final List<String> TEXTS = List.of(
            "a",
            "",
            "0644",
            "1e3",
            "true",
            "yes",
            "null",
            "~",
            "- x",
            "# no comment",
            "a: b",
            "*x",
            "&x",
            "!x",
            "%x",
            "\"quoted\"",
            "it's",
            " padded ",
            "two\nlines\n",
            "tab\t",
            "\u0001",
            "\u00fcber",
            "\ud83d\ude80",
            "{}",
            "[",
            "\\",
            "1h30m",
            "=",
            "2026-11-20",
            "0x1F",
            "1_000",
            ".inf",
            "<<",
            "---",
            "@x",
            "`x",
            "?",
            "\u0085",
            "\u2028");

    private final Random random;

    RandomMessages(long seed) {
        this.random = new Random(seed);
    }

    Message fill(Message type) {
        Message.Builder builder = type.newBuilderForType();
        for (FieldDescriptor field : type.getDescriptorForType().getFields()) {
            boolean otherOfOne =
                    field.getRealContainingOneof() != null && builder.hasOneof(field.getRealContainingOneof());
            if (otherOfOne || random.nextInt(4) == 0) {
                continue;
            }
            fillField(builder, field);
        }
        return builder.build();
    }

    private void fillField(Message.Builder builder, FieldDescriptor field) {
        if (field.isMapField()) {
            for (int i = random.nextInt(4); i > 0; i--) {
                addEntry(builder, field, TEXTS.get(random.nextInt(TEXTS.size())) + i);
            }
        } else if (field.isRepeated()) {
            for (int i = random.nextInt(4); i > 0; i--) {
                builder.addRepeatedField(field, value(builder, field));
            }
        } else {
            builder.setField(field, value(builder, field));
        }
    }

    private void addEntry(Message.Builder builder, FieldDescriptor field, String key) {
        Message.Builder entry = builder.newBuilderForField(field);
        FieldDescriptor valueField = field.getMessageType().findFieldByName("value");
        builder.addRepeatedField(
                field,
                entry.setField(field.getMessageType().findFieldByName("key"), key)
                        .setField(valueField, value(entry, valueField))
                        .build());
    }

    private Object value(Message.Builder builder, FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case INT -> random.nextInt();
            case LONG -> random.nextLong() >> 11;
            case BOOLEAN -> random.nextBoolean();
            case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
            case BYTE_STRING -> bytes();
            case ENUM -> word(field);
            case MESSAGE -> message(builder.newBuilderForField(field).build());
            case DOUBLE -> random.nextGaussian() * 1e3;
            case FLOAT -> throw new IllegalStateException("the contract has no such number: " + field);
        };
    }

    private EnumValueDescriptor word(FieldDescriptor field) {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        return values.get(1 + random.nextInt(values.size() - 1));
    }

    private ByteString bytes() {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }

    private Message message(Message type) {
        if (type instanceof Duration) {
            return Duration.newBuilder()
                    .setSeconds(random.nextInt(1_000_000))
                    .setNanos(random.nextInt(1_000_000_000))
                    .build();
        }
        if (type instanceof Timestamp) {
            return Timestamp.newBuilder()
                    .setSeconds(random.nextInt())
                    .setNanos(random.nextInt(1_000_000_000))
                    .build();
        }
        if (type instanceof Value) {
            return freeValue(3);
        }
        return type instanceof Struct ? freeValue(3, true).getStructValue() : fill(type);
    }

    private Value freeValue(int depth) {
        return freeValue(depth, false);
    }

    private Value freeValue(int depth, boolean object) {
        int kind = object ? 5 : random.nextInt(depth == 0 ? 4 : 6);
        return switch (kind) {
            case 0 -> Value.newBuilder().setNullValueValue(0).build();
            case 1 -> Value.newBuilder().setBoolValue(random.nextBoolean()).build();
            case 2 ->
                Value.newBuilder()
                        .setNumberValue(random.nextBoolean() ? random.nextInt() : random.nextGaussian() * 1e30)
                        .build();
            case 3 ->
                Value.newBuilder()
                        .setStringValue(TEXTS.get(random.nextInt(TEXTS.size())))
                        .build();
            case 4 ->
                Value.newBuilder()
                        .setListValue(ListValue.newBuilder()
                                .addValues(freeValue(depth - 1))
                                .addValues(freeValue(depth - 1)))
                        .build();
            default ->
                Value.newBuilder()
                        .setStructValue(Struct.newBuilder()
                                .putFields("a", freeValue(depth - 1))
                                .putFields("0644", freeValue(depth - 1)))
                        .build();
        };
    }
}
