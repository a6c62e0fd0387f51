package dev.cella.simulator.workload;

import java.util.ArrayList;
import java.util.List;

/** One line of a trace, split into fields that remember their positions. */
final class TraceLine {
    private record Field(String text, int column) {}

    private final int number;
    private final int length;
    private final List<Field> fields = new ArrayList<>();

    private TraceLine(int number, int length) {
        this.number = number;
        this.length = length;
    }

    /** Fields separated by blanks and tabs. */
    static TraceLine ofBlanks(int number, String text) {
        TraceLine line = new TraceLine(number, text.length());
        int at = 0;
        while (at < text.length()) {
            int end = at;
            while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
                end++;
            }
            if (end > at) {
                line.fields.add(new Field(text.substring(at, end), at + 1));
            }
            at = end + 1;
        }
        return line;
    }

    /** Fields separated by single tabs; a field may be empty. */
    static TraceLine ofTabs(int number, String text) {
        TraceLine line = new TraceLine(number, text.length());
        int at = 0;
        for (String field : text.split("\t", -1)) {
            line.fields.add(new Field(field, at + 1));
            at += field.length() + 1;
        }
        return line;
    }

    boolean isEmpty() {
        return fields.isEmpty() || (fields.size() == 1 && fields.get(0).text().isBlank());
    }

    int size() {
        return fields.size();
    }

    String text(int field) {
        return fields.get(field).text();
    }

    double decimal(int field, String what) throws UnreadableTraceException {
        double value;
        try {
            value = Double.parseDouble(text(field));
        } catch (NumberFormatException notANumber) {
            throw at(field, what + " is a number, not \"" + text(field) + "\"");
        }
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw at(field, what + " is not negative and not infinite, but " + text(field));
        }
        return value;
    }

    /** Seconds, as nanoseconds. */
    long nanos(int field, String what) throws UnreadableTraceException {
        return nanos(field, what, decimal(field, what));
    }

    /** The same for seconds that follow from the field and others. */
    long nanos(int field, String what, double seconds) throws UnreadableTraceException {
        if (seconds > VirtualTime.SECONDS_MAX) {
            throw at(field, what + " is at most 95 years, not " + (long) seconds + " seconds");
        }
        return VirtualTime.nanos(seconds);
    }

    long whole(int field, String what, long min, long max) throws UnreadableTraceException {
        try {
            long value = Long.parseLong(text(field));
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw at(field, what + " is a whole number, not \"" + text(field) + "\"");
        }
        throw at(field, what + " is from " + min + " to " + max + ", not " + text(field));
    }

    UnreadableTraceException at(int field, String fault) {
        return new UnreadableTraceException(number, fields.get(field).column(), fault);
    }

    /** The fault that a field is missing at the end of the line. */
    UnreadableTraceException atEnd(String fault) {
        return new UnreadableTraceException(number, length + 1, fault);
    }
}
