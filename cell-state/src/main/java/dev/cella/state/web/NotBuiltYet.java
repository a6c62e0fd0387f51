package dev.cella.state.web;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.Common;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses fields of the contract that a gRPC request sets and that are not built yet. The JSON codec does the same for HTTP.
 */
final class NotBuiltYet {
    private final List<Fault> faults = new ArrayList<>();

    private NotBuiltYet() {}

    /** A field that is set must never be ignored. */
    static void refuse(Message request) {
        NotBuiltYet found = new NotBuiltYet();
        found.look("", request);
        if (!found.faults.isEmpty()) {
            throw Problem.badRequest(found.faults);
        }
    }

    private void look(String path, Message message) {
        message.getAllFields().forEach((field, value) -> look(path + field.getJsonName(), field, value));
    }

    private void look(String path, FieldDescriptor field, Object value) {
        if (field.getOptions().getExtension(Common.notBuiltYet)) {
            faults.add(Fault.of(path, "not supported yet"));
        } else if (field.isRepeated() && !field.isMapField()) {
            List<?> values = (List<?>) value;
            for (int place = 0; place < values.size(); place++) {
                lookAtValue(path + "[" + place + "]", values.get(place));
            }
        } else if (!field.isMapField()) {
            lookAtValue(path, value);
        }
    }

    private void lookAtValue(String path, Object value) {
        if (value instanceof Message message) {
            look(path + ".", message);
        }
    }
}
