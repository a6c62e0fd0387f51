package dev.cella.scheduling;

/** One thing that can be set of a type of scheduler: its name, what it is when nobody sets it, and what it does. */
public record SchedulerOption(String name, String defaultValue, String description) {
    public SchedulerOption {
        if (name.isBlank() || description.isBlank()) {
            throw new IllegalArgumentException("an option has a name and a description");
        }
    }
}
