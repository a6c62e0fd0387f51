package dev.cella.state.web.service;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cella.transactions.model.CellVersion;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How fresh an answer must be.
 *
 * @param linearizable it shows everything that was acknowledged before the request
 * @param minVersion it shows this version or a later one
 * @param changedAfter it waits until the requested thing has changed after this version
 * @param waitMax the longest wait for each
 */
record Freshness(boolean linearizable, OptionalLong minVersion, OptionalLong changedAfter, Duration waitMax) {
    private static final Duration WAIT_DEFAULT = Duration.ofSeconds(5);
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    Freshness {
        if (waitMax.compareTo(WAIT_MAX) > 0) {
            throw Requests.bad("wait", "must be at most 60s");
        }
    }

    /** At least that version, which is certain to come. */
    static Freshness atLeast(CellVersion version) {
        return new Freshness(false, OptionalLong.of(version.number()), OptionalLong.empty(), WAIT_DEFAULT);
    }

    /** Reads these fields of a request. Not every request has {@code changed_after} and {@code linearizable}. */
    static Freshness of(Message request) {
        return new Freshness(
                isLinearizable(request),
                version(request, "min_version"),
                version(request, "changed_after"),
                wait(request));
    }

    private static boolean isLinearizable(Message request) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName("linearizable");
        return field != null && (Boolean) request.getField(field);
    }

    private static OptionalLong version(Message request, String name) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
        return field != null && request.hasField(field)
                ? OptionalLong.of((Long) request.getField(field))
                : OptionalLong.empty();
    }

    private static Duration wait(Message request) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName("wait");
        return request.hasField(field)
                ? Requests.duration("wait", (com.google.protobuf.Duration) request.getField(field))
                : WAIT_DEFAULT;
    }
}
