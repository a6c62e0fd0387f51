package dev.cella.scheduling;

/** One option of a scheduler type: its name, its default, and its description. */
public record SchedulerOption(String name, String defaultValue, String description) {
    public SchedulerOption {
        if (name.isBlank() || description.isBlank()) {
            throw new IllegalArgumentException("an option has a name and a description");
        }
    }
}
