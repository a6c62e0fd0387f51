package dev.cella.cli.job;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import dev.cella.client.proto.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The changes that an update would make to a job, field by field, as in {@code groups[0].count: 3 -> 5}. */
final class JobDifferences {
    private static final String NOTHING = "nothing";

    private JobDifferences() {}

    /** Both with their defaults filled in. */
    static List<String> between(Job before, Job after) {
        Map<String, String> old = new TreeMap<>();
        Map<String, String> next = new TreeMap<>();
        flatten("", before, old);
        flatten("", after, next);
        List<String> differences = new ArrayList<>();
        Map<String, String> paths = new TreeMap<>(old);
        paths.putAll(next);
        for (String path : paths.keySet()) {
            String was = old.getOrDefault(path, NOTHING);
            String is = next.getOrDefault(path, NOTHING);
            if (!was.equals(is)) {
                differences.add(path + ": " + was + " -> " + is);
            }
        }
        return differences;
    }

    private static void flatten(String path, Message message, Map<String, String> into) {
        message.getAllFields().forEach((field, value) -> {
            String here = path.isEmpty() ? field.getJsonName() : path + "." + field.getJsonName();
            if (field.isRepeated()) {
                flattenAll(here, (List<?>) value, field, into);
            } else {
                flattenValue(here, value, into);
            }
        });
    }

    private static void flattenAll(String path, List<?> values, FieldDescriptor field, Map<String, String> into) {
        for (int place = 0; place < values.size(); place++) {
            if (field.isMapField()) {
                MapEntry<?, ?> entry = (MapEntry<?, ?>) values.get(place);
                flattenValue(path + "." + entry.getKey(), entry.getValue(), into);
            } else {
                flattenValue(path + "[" + place + "]", values.get(place), into);
            }
        }
    }

    private static void flattenValue(String path, Object value, Map<String, String> into) {
        if (value instanceof Duration duration) {
            into.put(path, Durations.toString(duration));
        } else if (value instanceof Message message) {
            flatten(path, message, into);
        } else {
            into.put(path, value.toString());
        }
    }
}
