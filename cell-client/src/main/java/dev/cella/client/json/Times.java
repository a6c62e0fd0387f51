package dev.cella.client.json;

import com.google.protobuf.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;

/** Times by RFC 3339, in UTC. */
final class Times {
    /** The first and the last second that a Timestamp can hold: the years 1 to 9999. */
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private Times() {}

    static Timestamp read(Scalar scalar) throws Misfit {
        try {
            Instant time = Instant.parse(scalar.text());
            if (scalar.text().endsWith("Z") && !time.isBefore(FIRST) && !time.isAfter(LAST)) {
                return Timestamp.newBuilder()
                        .setSeconds(time.getEpochSecond())
                        .setNanos(time.getNano())
                        .build();
            }
        } catch (DateTimeException notATime) {
            // Answered below, as every other text that is no time.
        }
        throw new Misfit("must be a time in UTC such as 2026-11-20T10:00:00Z, is " + scalar.shown());
    }

    static String write(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
    }
}
