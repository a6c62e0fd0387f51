package dev.cella.scheduling;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of a type with their values: every option has a value, and nothing else has. */
public final class SchedulerOptions {
    private final Map<String, String> values;

    private SchedulerOptions(Map<String, String> values) {
        this.values = values;
    }

    /** All options with their defaults. */
    public static SchedulerOptions defaults(List<SchedulerOption> options) {
        return of(options, Map.of());
    }

    /** The options with these values. An unknown name is refused with the list of known ones. */
    public static SchedulerOptions of(List<SchedulerOption> options, Map<String, String> set) {
        Map<String, String> values = new LinkedHashMap<>();
        options.forEach(option -> values.put(option.name(), option.defaultValue()));
        for (String name : set.keySet()) {
            if (!values.containsKey(name)) {
                throw new IllegalArgumentException("no option " + name + ", there are " + values.keySet());
            }
        }
        values.putAll(set);
        return new SchedulerOptions(values);
    }

    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no option " + name + ", there are " + values.keySet());
        }
        return value;
    }

    /** The option as a whole number from {@code min} to {@code max}. */
    public int number(String name, int min, int max) {
        String value = text(name);
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(refusal(name, value, min, max), notANumber);
        }
        throw new IllegalArgumentException(refusal(name, value, min, max));
    }

    private static String refusal(String name, String value, int min, int max) {
        return "option " + name + " is a whole number from " + min + " to " + max + ", not " + value;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
