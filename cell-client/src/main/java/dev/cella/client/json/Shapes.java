package dev.cella.client.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The shapes of all messages and enums used so far; shared by all threads that read and write. */
final class Shapes {
    private final Map<Descriptor, Shape> messages = new ConcurrentHashMap<>();
    private final Map<EnumDescriptor, EnumWords> enums = new ConcurrentHashMap<>();

    Shape of(Descriptor type) {
        return messages.computeIfAbsent(type, Shape::new);
    }

    EnumWords of(EnumDescriptor type) {
        return enums.computeIfAbsent(type, EnumWords::new);
    }
}
