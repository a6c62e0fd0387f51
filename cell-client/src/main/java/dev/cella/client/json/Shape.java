package dev.cella.client.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.cella.client.proto.Common;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The data that JSON needs about one type of message, computed once. */
final class Shape {
    private final Map<String, FieldDescriptor> fields = new LinkedHashMap<>();
    private final List<FieldDescriptor> required = new ArrayList<>();

    Shape(Descriptor type) {
        for (FieldDescriptor field : type.getFields()) {
            fields.put(field.getJsonName(), field);
            if (field.getOptions().getExtension(Common.required)) {
                required.add(field);
            }
        }
    }

    @Nullable
    FieldDescriptor field(String name) {
        return fields.get(name);
    }

    Iterable<FieldDescriptor> fields() {
        return fields.values();
    }

    Set<String> names() {
        return fields.keySet();
    }

    List<FieldDescriptor> required() {
        return required;
    }

    /** Returns whether an empty list or map is printed. */
    static boolean isPrintedEmpty(FieldDescriptor field) {
        return !field.getOptions().getExtension(Common.onlyIfAny);
    }
}
