package dev.cella.chaos.scenario;

import java.util.Map;

/** A scheduler of a scenario: its name, its type with options, and how long it takes to decide. */
public record SchedulerSpec(String name, String type, Map<String, String> options, long decisionMillis) {
    public SchedulerSpec {
        options = Map.copyOf(options);
    }
}
