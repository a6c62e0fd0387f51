package dev.cella.client.json;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.cella.client.json.Scalar.Kind;
import dev.cella.client.proto.Common;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** Reads one scalar as its field's type. */
final class Scalars {
    /** The longest name, value or argument, in bytes. */
    static final int TEXT_BYTES_MAX = 4096;

    private final Shapes shapes;
    private final Strictness strictness;

    Scalars(Shapes shapes, Strictness strictness) {
        this.shapes = shapes;
        this.strictness = strictness;
    }

    /** Returns whether a field is written as one scalar, although it may be a message in the contract. */
    static boolean isScalar(FieldDescriptor field) {
        return field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || isDuration(field) || isTime(field);
    }

    private static boolean isDuration(FieldDescriptor field) {
        return field.getMessageType().equals(Duration.getDescriptor());
    }

    private static boolean isTime(FieldDescriptor field) {
        return field.getMessageType().equals(Timestamp.getDescriptor());
    }

    Object read(FieldDescriptor field, Scalar scalar) throws Misfit {
        if (scalar.kind() == Kind.NULL) {
            throw new Misfit("must not be null; leave it out, or write \"\" for an empty text");
        }
        return switch (field.getJavaType()) {
            case STRING -> text(scalar);
            case INT -> (int) WholeNumbers.read(scalar, Integer.MAX_VALUE, atMost(field), negativeToo(field));
            case LONG -> WholeNumbers.read(scalar, WholeNumbers.MAX, WholeNumbers.MAX, negativeToo(field));
            case BOOLEAN -> bool(scalar);
            case ENUM -> shapes.of(field.getEnumType()).read(scalar);
            case MESSAGE -> isDuration(field) ? Durations.read(scalar) : Times.read(scalar);
            case BYTE_STRING -> bytes(scalar);
            case DOUBLE -> fraction(scalar);
            case FLOAT -> throw new IllegalStateException("the contract has no such number: " + field);
        };
    }

    private static double fraction(Scalar scalar) throws Misfit {
        if (scalar.kind() != Kind.NUMBER || !WholeNumbers.isJsonNumber(scalar.text())) {
            throw new Misfit("must be a number, is " + scalar.shown());
        }
        return Double.parseDouble(scalar.text());
    }

    private static long atMost(FieldDescriptor field) {
        long max = field.getOptions().getExtension(Common.atMost);
        return max == 0 ? Integer.MAX_VALUE : max;
    }

    private boolean negativeToo(FieldDescriptor field) {
        return strictness == Strictness.ANSWER || field.getOptions().getExtension(Common.negativeToo);
    }

    String text(Scalar scalar) throws Misfit {
        if (scalar.typed() && scalar.kind() != Kind.TEXT) {
            throw new Misfit("must be text in quotes, is " + scalar.shown());
        }
        checkText(scalar.text());
        return scalar.text();
    }

    void checkText(String text) throws Misfit {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new Misfit("is not text: half of a surrogate pair stands alone");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (strictness == Strictness.REQUEST && bytes > TEXT_BYTES_MAX) {
            throw new Misfit("is too long: " + bytes + " bytes, at most " + TEXT_BYTES_MAX);
        }
    }

    private static boolean bool(Scalar scalar) throws Misfit {
        String word = scalar.text().toLowerCase(Locale.ROOT);
        boolean isWord = word.equals("true") || word.equals("false");
        boolean isBool = scalar.kind() == Kind.BOOLEAN || (scalar.kind() == Kind.TEXT && !scalar.typed());
        if (!isWord || !isBool) {
            throw new Misfit("must be true or false, is " + scalar.shown());
        }
        return word.equals("true");
    }

    private static ByteString bytes(Scalar scalar) throws Misfit {
        try {
            return ByteString.copyFrom(Base64.getDecoder().decode(scalar.text()));
        } catch (IllegalArgumentException notBase64) {
            throw new Misfit("must be bytes in base64, is " + scalar.shown());
        }
    }
}
