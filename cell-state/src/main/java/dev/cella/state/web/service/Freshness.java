package dev.cella.state.web.service;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import dev.cella.transactions.model.CellVersion;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How fresh an answer has to be.
 *
 * @param linearizable it shows all that was acknowledged before it was asked for
 * @param minVersion it shows this version or a later one
 * @param changedAfter it waits until what is asked for has changed after this version
 * @param waitMax so long it is waited for each
 */
record Freshness(boolean linearizable, OptionalLong minVersion, OptionalLong changedAfter, Duration waitMax) {
    private static final Duration WAIT_DEFAULT = Duration.ofSeconds(5);
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    Freshness {
        if (waitMax.compareTo(WAIT_MAX) > 0) {
            throw Requests.bad("wait", "must be at most 60s");
        }
    }

    /** At least that version, which is known to come. */
    static Freshness atLeast(CellVersion version) {
        return new Freshness(false, OptionalLong.of(version.number()), OptionalLong.empty(), WAIT_DEFAULT);
    }

    /** Reads the fields that a request to read has; {@code changed_after} and {@code linearizable} are not everywhere. */
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
                ? Duration.ofNanos(Durations.toNanos((com.google.protobuf.Duration) request.getField(field)))
                : WAIT_DEFAULT;
    }
}
