package dev.cella.state.web.service;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.json.NearestName;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Reads the parts that requests of several services share. */
final class Requests {
    private static final long LEASE_MILLIS_DEFAULT = 10_000;

    private Requests() {}

    /** One fault at one place of a request. */
    static Problem bad(String path, String message) {
        return Problem.badRequest(List.of(Fault.of(path, message)));
    }

    /** Makes a value of the cell, whose constructor checks it. */
    static <T> T checked(String path, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException refused) {
            throw bad(path, String.valueOf(refused.getMessage()));
        }
    }

    /** The lease of a session or of a machine, which is bounded: a silent holder keeps what it has for so long. */
    static long leaseMillis(boolean asked, Duration lease, java.time.Duration max) {
        long millis = asked ? checked("lease", () -> Durations.toMillis(lease)) : LEASE_MILLIS_DEFAULT;
        if (millis < 1 || millis > max.toMillis()) {
            throw bad("lease", "must be from 1ms to " + max.toHours() + "h");
        }
        return millis;
    }

    /**
     * Refuses durations that are negative, malformed, or too long to count in nanoseconds. JSON has no such durations, but a call
     * over gRPC can.
     */
    static void checkDurations(Message request) {
        checkDurations("", request);
    }

    private static void checkDurations(String before, Message request) {
        request.getAllFields().forEach((field, value) -> {
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                String path = before + field.getJsonName();
                List<?> parts = field.isRepeated() ? (List<?>) value : List.of(value);
                parts.forEach(part -> {
                    if (part instanceof Duration duration) {
                        checkDuration(path, duration);
                    } else {
                        checkDurations(path + ".", (Message) part);
                    }
                });
            }
        });
    }

    /** The same for one duration, which is then counted. */
    static java.time.Duration duration(String path, Duration duration) {
        checkDuration(path, duration);
        return java.time.Duration.ofNanos(Durations.toNanos(duration));
    }

    private static void checkDuration(String path, Duration duration) {
        if (!Durations.isValid(duration)
                || Durations.isNegative(duration)
                || duration.getSeconds() >= TimeUnit.NANOSECONDS.toSeconds(Long.MAX_VALUE)) {
            throw bad(path, "must be a duration from nothing to 292 years");
        }
    }

    /** Amounts by their places. A name without a dimension in the cell is a fault. */
    static Amounts amounts(String path, Dimensions dimensions, Map<String, Long> named) {
        long[] values = new long[dimensions.size()];
        named.forEach((name, amount) -> values[place(path, dimensions, name)] = amount);
        return checked(path, () -> Amounts.of(values));
    }

    /** The same, with the members that are named in set dimensions. */
    static Amounts amounts(
            String path, Dimensions dimensions, Map<String, Long> named, Map<String, String> membersNamed) {
        Amounts counted = amounts(path + ".resources", dimensions, named);
        Members members = members(path + ".members", dimensions, membersNamed);
        return counted.plus(Amounts.NONE.naming(members));
    }

    static Members members(String path, Dimensions dimensions, Map<String, String> named) {
        Members members = Members.NONE;
        for (Map.Entry<String, String> each : named.entrySet()) {
            int place = place(path, dimensions, each.getKey());
            MemberSet set = checked(path + "." + each.getKey(), () -> MemberSet.parse(each.getValue()));
            if (!dimensions.isSet(place)) {
                throw bad(path + "." + each.getKey(), "is no set: it is counted, and has no members");
            }
            members = members.with(place, set);
        }
        return members;
    }

    /** The place of the group of that name. */
    static int group(String path, JobRow job, String name) {
        int place = job.header().findGroup(name);
        if (place < 0) {
            List<String> names =
                    job.groups().stream().map(group -> group.header().name()).toList();
            throw bad(path, "must be one of " + String.join(", ", names));
        }
        return place;
    }

    private static int place(String path, Dimensions dimensions, String name) {
        int place = dimensions.find(name);
        if (place < 0) {
            List<String> names = dimensions.list().stream().map(Dimension::name).toList();
            throw bad(
                    path + "." + name,
                    NearestName.to(name, names)
                            .map(near -> "no such dimension, did you mean " + near + "?")
                            .orElse("no such dimension, there are " + String.join(", ", names)));
        }
        return place;
    }

    /** A value of an enum by its name, in any case. */
    static <E extends Enum<E>> E word(String path, Class<E> type, String word) {
        String upper = word.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value.name().equals(upper))
                .findFirst()
                .orElseThrow(() -> bad(path, "no such value, there are " + List.of(type.getEnumConstants())));
    }
}
