package dev.cella.client.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The fields of a request in its address: in the path, or after the question mark. */
final class Parameters {
    private final Shapes shapes;

    Parameters(Shapes shapes) {
        this.shapes = shapes;
    }

    void read(Message.Builder into, Map<String, ? extends List<String>> parameters, Faults faults) {
        parameters.forEach((name, values) -> readNamed(into, name, values, faults));
    }

    private void readNamed(Message.Builder into, String name, List<String> values, Faults faults) {
        Path path = Path.ROOT.field(name);
        FieldDescriptor field = shapes.of(into.getDescriptorForType()).field(name);
        if (field == null || !isParameter(field)) {
            faults.add(path, Location.NOWHERE, unknown(into, name));
        } else if (values.size() > 1 && !field.isRepeated()) {
            faults.add(path, Location.NOWHERE, "is given " + values.size() + " times");
        } else {
            readField(into, field, values, path, faults);
        }
    }

    private static boolean isParameter(FieldDescriptor field) {
        return !field.isMapField() && Scalars.isScalar(field);
    }

    private String unknown(Message.Builder into, String name) {
        List<String> known = shapes.of(into.getDescriptorForType()).names().stream()
                .filter(each -> isParameter(into.getDescriptorForType(), each))
                .toList();
        Optional<String> near = NearestName.to(name, known);
        if (near.isPresent()) {
            return "no such parameter, did you mean " + near.get() + "?";
        }
        return known.isEmpty() ? "no such parameter" : "no such parameter, there are " + String.join(", ", known);
    }

    private boolean isParameter(Descriptor type, String name) {
        FieldDescriptor field = shapes.of(type).field(name);
        return field != null && isParameter(field);
    }

    private void readField(Message.Builder into, FieldDescriptor field, List<String> values, Path path, Faults faults) {
        Scalars scalars = new Scalars(shapes, Strictness.REQUEST);
        for (String value : field.isRepeated() ? each(values) : values) {
            try {
                Object read = scalars.read(field, Scalar.ofParameter(value));
                set(into, field, read);
            } catch (Misfit misfit) {
                faults.add(path, Location.NOWHERE, misfit.message());
            }
        }
    }

    private static void set(Message.Builder into, FieldDescriptor field, Object value) {
        if (field.isRepeated()) {
            into.addRepeatedField(field, value);
        } else {
            into.setField(field, value);
        }
    }

    private static List<String> each(List<String> values) {
        return values.stream().flatMap(value -> CommaList.read(value).stream()).toList();
    }

    /** The set fields of a request as text, by name; a list is a {@link CommaList}. */
    Map<String, String> write(Message request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (FieldDescriptor field : shapes.of(request.getDescriptorForType()).fields()) {
            if (isParameter(field) && request.getAllFields().containsKey(field)) {
                parameters.put(field.getJsonName(), text(field, request.getField(field)));
            }
        }
        return parameters;
    }

    private String text(FieldDescriptor field, Object value) {
        if (field.isRepeated()) {
            return CommaList.write(((List<?>) value).stream().map(this::text).toList());
        }
        return text(value);
    }

    private String text(@Nullable Object value) {
        if (value instanceof EnumValueDescriptor word) {
            return shapes.of(word.getType()).word(word);
        }
        if (value instanceof Duration duration) {
            return Durations.write(duration);
        }
        return value instanceof Timestamp time ? Times.write(time) : String.valueOf(value);
    }
}
