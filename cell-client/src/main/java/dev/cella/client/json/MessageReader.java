package dev.cella.client.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Value;
import dev.cella.client.proto.Common;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message from one text, by its descriptor. It records a fault with its place and continues after it, so that a
 * person fixes a file once and not once per fault.
 *
 * <p>Made for one text, used by one thread.
 */
final class MessageReader {
    private final TokenReader tokens;
    private final Shapes shapes;
    private final Strictness strictness;
    private final KeyRule dimensionKeys;
    private final Scalars scalars;
    private final FreeValues freeValues;
    private final Faults faults;
    private final Map<String, Location> places = new HashMap<>();

    MessageReader(
            JsonParser parser,
            boolean typed,
            Shapes shapes,
            Strictness strictness,
            KeyRule dimensionKeys,
            Faults faults) {
        this.faults = faults;
        this.tokens = new TokenReader(parser, typed, faults);
        this.shapes = shapes;
        this.strictness = strictness;
        this.dimensionKeys = dimensionKeys;
        this.scalars = new Scalars(shapes, strictness);
        this.freeValues = new FreeValues(tokens, scalars, faults);
    }

    /** The place of each field and element that was read. */
    Map<String, Location> places() {
        return places;
    }

    /** Reads the whole text into a message; an empty text is an empty object. */
    void read(Message.Builder into) {
        try {
            readDocument(into);
        } catch (JsonProcessingException malformed) {
            Malformed.describe(malformed, faults);
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading a text in memory", impossible);
        }
    }

    private void readDocument(Message.Builder into) throws IOException {
        if (tokens.next() == null) {
            requireFields(into, Set.of(), Path.ROOT, Location.NOWHERE);
            return;
        }
        readMessage(into, Path.ROOT);
        if (!faults.full() && tokens.next() != null) {
            faults.add(Path.ROOT, tokens.location(), "there is more after the end: a file holds one object");
        }
    }

    private void readMessage(Message.Builder into, Path path) throws IOException {
        if (!tokens.expect(JsonToken.START_OBJECT, "an object", path)) {
            return;
        }
        Location start = tokens.location();
        Set<String> seen = new HashSet<>();
        Set<String> sound = new HashSet<>();
        while (!faults.full() && tokens.next() == JsonToken.FIELD_NAME) {
            int before = faults.count();
            String name = tokens.name();
            readNamed(into, name, !seen.add(name), path);
            if (faults.count() == before) {
                sound.add(name);
            }
        }
        seen.removeAll(sound);
        requireFields(into, seen, path, start);
    }

    private void readNamed(Message.Builder into, String name, boolean again, Path path) throws IOException {
        Location location = tokens.location();
        FieldDescriptor field = shapes.of(into.getDescriptorForType()).field(name);
        Path here = path.field(name);
        tokens.next();
        places.put(here.toString(), placeOfValue(location));
        Optional<KeyRule.Refusal> refusal = refuseField(into, field, name, again);
        if (field == null || refusal.isPresent()) {
            refusal.ifPresent(why -> faults.add(here, location, why.message(), why.hint()));
            tokens.skip();
            return;
        }
        readField(into, field, here);
    }

    /** The place of a single value is its own; the place of a list or an object is that of its name. */
    private Location placeOfValue(Location name) {
        return tokens.current().isScalarValue() ? tokens.location() : name;
    }

    private Optional<KeyRule.Refusal> refuseField(
            Message.Builder into, @Nullable FieldDescriptor field, String name, boolean again) {
        if (field == null) {
            return strictness == Strictness.ANSWER
                    ? Optional.empty()
                    : Optional.of(unknownField(into.getDescriptorForType(), name));
        }
        if (again) {
            return refusal("is given twice");
        }
        boolean otherOfOne = field.getRealContainingOneof() != null && into.hasOneof(field.getRealContainingOneof());
        return otherOfOne ? refusal("only one of its kind may be given") : Optional.empty();
    }

    private static Optional<KeyRule.Refusal> refusal(String message) {
        return Optional.of(new KeyRule.Refusal(message, Optional.empty()));
    }

    private KeyRule.Refusal unknownField(Descriptor type, String name) {
        Optional<KeyRule.Refusal> foreign = ForeignWords.refuse(type, name);
        if (foreign.isPresent()) {
            return foreign.get();
        }
        Set<String> known = shapes.of(type).names();
        Optional<String> near = NearestName.to(name, known);
        String message = near.map(nearest -> "no such field, did you mean " + nearest + "?")
                .orElse("no such field");
        String hint = near.map(nearest -> "write " + nearest).orElse("known here: " + String.join(", ", known));
        return new KeyRule.Refusal(message, Optional.of(hint));
    }

    private void readField(Message.Builder into, FieldDescriptor field, Path path) throws IOException {
        if (field.isMapField()) {
            readMap(into, field, path);
        } else if (field.isRepeated()) {
            readList(into, field, path);
        } else {
            readSingle(into, field, path);
        }
    }

    private void readSingle(Message.Builder into, FieldDescriptor field, Path path) throws IOException {
        Location location = tokens.location();
        boolean bound = isBound(into, field);
        Object value = readValue(into, field, path);
        if (value == null) {
            return;
        }
        if (bound && !into.getField(field).equals(value)) {
            faults.add(path, location, "differs from the address: " + into.getField(field));
        } else {
            into.setField(field, value);
        }
    }

    /** Returns whether the address of the request has set this field already. */
    private static boolean isBound(Message.Builder into, FieldDescriptor field) {
        return into.hasField(field);
    }

    private void readList(Message.Builder into, FieldDescriptor field, Path path) throws IOException {
        if (tokens.current() == JsonToken.START_OBJECT && field.getOptions().getExtension(Common.oneOrMany)) {
            readElement(into, field, path);
            return;
        }
        if (!tokens.expect(JsonToken.START_ARRAY, "a list", path)) {
            return;
        }
        int index = 0;
        while (!faults.full() && tokens.next() != JsonToken.END_ARRAY) {
            Path here = path.element(index++);
            places.put(here.toString(), tokens.location());
            readElement(into, field, here);
        }
    }

    private void readElement(Message.Builder into, FieldDescriptor field, Path path) throws IOException {
        Object value = readValue(into, field, path);
        if (value != null) {
            into.addRepeatedField(field, value);
        }
    }

    private void readMap(Message.Builder into, FieldDescriptor field, Path path) throws IOException {
        if (!tokens.expect(JsonToken.START_OBJECT, "an object", path)) {
            return;
        }
        Set<String> seen = new HashSet<>();
        while (!faults.full() && tokens.next() == JsonToken.FIELD_NAME) {
            String key = tokens.name();
            readMapEntry(into, field, key, !seen.add(key), path.field(key));
        }
    }

    private void readMapEntry(Message.Builder into, FieldDescriptor field, String key, boolean again, Path path)
            throws IOException {
        Location location = tokens.location();
        tokens.next();
        places.put(path.toString(), placeOfValue(location));
        Optional<KeyRule.Refusal> refusal = again ? refusal("is given twice") : refuseKey(field, key);
        if (refusal.isPresent()) {
            faults.add(path, location, refusal.get().message(), refusal.get().hint());
            tokens.skip();
            return;
        }
        Message.Builder entry = into.newBuilderForField(field);
        FieldDescriptor valueField = field.getMessageType().findFieldByName("value");
        Object value = readValue(entry, valueField, path);
        if (value != null) {
            entry.setField(field.getMessageType().findFieldByName("key"), key);
            into.addRepeatedField(field, entry.setField(valueField, value).build());
        }
    }

    private Optional<KeyRule.Refusal> refuseKey(FieldDescriptor field, String key) {
        try {
            scalars.checkText(key);
        } catch (Misfit misfit) {
            return refusal(misfit.message());
        }
        boolean isDimension = field.getOptions().getExtension(Common.dimensionKeys);
        return isDimension && strictness == Strictness.REQUEST ? dimensionKeys.refuse(key) : Optional.empty();
    }

    /** The value under the current token, or null after a fault. */
    private @Nullable Object readValue(Message.Builder into, FieldDescriptor field, Path path) throws IOException {
        if (Scalars.isScalar(field)) {
            return readScalar(field, path);
        }
        if (field.getMessageType().getFile().equals(Value.getDescriptor().getFile())) {
            return freeValues.read(field.getMessageType(), path);
        }
        Message.Builder builder = into.newBuilderForField(field);
        readMessage(builder, path);
        return builder.build();
    }

    private @Nullable Object readScalar(FieldDescriptor field, Path path) throws IOException {
        Scalar scalar = tokens.scalar(path);
        if (scalar == null) {
            return null;
        }
        try {
            return scalars.read(field, scalar);
        } catch (Misfit misfit) {
            if (!isNewerWord(field)) {
                faults.add(path, tokens.location(), misfit.message());
            }
            return null;
        }
    }

    /** A newer cell may answer with an enum value that this reader does not know; it is left out. */
    private boolean isNewerWord(FieldDescriptor field) {
        return strictness == Strictness.ANSWER && field.getJavaType() == FieldDescriptor.JavaType.ENUM;
    }

    /** Records required fields that are missing or empty, unless they already have another fault. */
    private void requireFields(Message.Builder message, Set<String> faulty, Path path, Location start) {
        if (strictness == Strictness.ANSWER || faults.full()) {
            return;
        }
        for (FieldDescriptor field : shapes.of(message.getDescriptorForType()).required()) {
            Path here = path.field(field.getJsonName());
            Location place = places.get(here.toString());
            if (faulty.contains(field.getJsonName()) || isGiven(message, field, place != null)) {
                continue;
            }
            faults.add(here, place == null ? start : place, place == null ? "is required" : "must not be empty");
        }
    }

    /** A written number is given, even if it is 0, which the message alone would not show. */
    private static boolean isGiven(Message.Builder message, FieldDescriptor field, boolean written) {
        if (field.isRepeated()) {
            return message.getRepeatedFieldCount(field) > 0;
        }
        boolean number = field.getJavaType() == FieldDescriptor.JavaType.INT
                || field.getJavaType() == FieldDescriptor.JavaType.LONG;
        return message.hasField(field) || (number && written);
    }
}
