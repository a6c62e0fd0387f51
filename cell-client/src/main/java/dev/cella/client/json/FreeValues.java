package dev.cella.client.json;

import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the values that the contract leaves free, such as a job's {@code options}. Part of one {@link MessageReader}. */
final class FreeValues {
    private final TokenReader tokens;
    private final Scalars scalars;
    private final Faults faults;

    FreeValues(TokenReader tokens, Scalars scalars, Faults faults) {
        this.tokens = tokens;
        this.scalars = scalars;
        this.faults = faults;
    }

    /** A Struct, ListValue or Value, or null after a fault. */
    @Nullable
    Message read(Descriptor type, Path path) throws IOException {
        if (type.equals(Struct.getDescriptor())) {
            return tokens.expect(JsonToken.START_OBJECT, "an object", path) ? readStruct(path) : null;
        }
        if (type.equals(ListValue.getDescriptor())) {
            return tokens.expect(JsonToken.START_ARRAY, "a list", path) ? readList(path) : null;
        }
        return readValue(path);
    }

    private @Nullable Value readValue(Path path) throws IOException {
        if (tokens.current() == JsonToken.START_OBJECT) {
            return Value.newBuilder().setStructValue(readStruct(path)).build();
        }
        if (tokens.current() == JsonToken.START_ARRAY) {
            return Value.newBuilder().setListValue(readList(path)).build();
        }
        Scalar scalar = tokens.scalar(path);
        return scalar == null ? null : readScalar(scalar, path);
    }

    private Struct readStruct(Path path) throws IOException {
        Struct.Builder struct = Struct.newBuilder();
        while (!faults.full() && tokens.next() == JsonToken.FIELD_NAME) {
            String key = tokens.name();
            Path here = path.field(key);
            if (struct.containsFields(key)) {
                faults.add(here, tokens.location(), "is given twice");
            }
            tokens.next();
            Value value = readValue(here);
            if (value != null) {
                struct.putFields(key, value);
            }
        }
        return struct.build();
    }

    private ListValue readList(Path path) throws IOException {
        ListValue.Builder list = ListValue.newBuilder();
        int index = 0;
        while (!faults.full() && tokens.next() != JsonToken.END_ARRAY) {
            Value value = readValue(path.element(index++));
            if (value != null) {
                list.addValues(value);
            }
        }
        return list.build();
    }

    private @Nullable Value readScalar(Scalar scalar, Path path) {
        Value.Builder value = Value.newBuilder();
        try {
            return switch (kindByContent(scalar)) {
                case NULL -> value.setNullValue(NullValue.NULL_VALUE).build();
                case BOOLEAN ->
                    value.setBoolValue(scalar.text().toLowerCase(Locale.ROOT).equals("true"))
                            .build();
                case NUMBER -> value.setNumberValue(finite(scalar)).build();
                case TEXT -> {
                    scalars.checkText(scalar.text());
                    yield value.setStringValue(scalar.text()).build();
                }
            };
        } catch (Misfit misfit) {
            faults.add(path, tokens.location(), misfit.message());
            return null;
        }
    }

    /** Values that only YAML reads as numbers (0644, 1_000) or booleans (yes) stay text. */
    private static Scalar.Kind kindByContent(Scalar scalar) {
        return switch (scalar.kind()) {
            case NUMBER -> WholeNumbers.isJsonNumber(scalar.text()) ? Scalar.Kind.NUMBER : Scalar.Kind.TEXT;
            case BOOLEAN -> scalar.text().matches("(?i)true|false") ? Scalar.Kind.BOOLEAN : Scalar.Kind.TEXT;
            case NULL, TEXT -> scalar.kind();
        };
    }

    private static double finite(Scalar scalar) throws Misfit {
        double number = Double.parseDouble(scalar.text());
        if (Double.isInfinite(number)) {
            throw new Misfit("is too large: " + scalar.shown());
        }
        return number;
    }
}
