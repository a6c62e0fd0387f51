package dev.cella.scheduler.batch;

import dev.cella.scheduling.BestFit;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.TaskByTask;
import dev.cella.scheduling.WorstFit;
import java.util.Arrays;
import java.util.stream.Collectors;

/** How a batch scheduler chooses among machines that are equal for its job. */
public enum BatchPlacement {
    /** The first machine that fits, in random order. */
    FIRST_FIT("first-fit"),
    /** The fuller of two machines that fit, drawn at random. */
    POWER_OF_TWO("power-of-two"),
    /** The fullest machine of the cell that fits, or one near it. */
    BEST_FIT("best-fit"),
    /** The emptiest machine of the cell, or one near it. */
    WORST_FIT("worst-fit");

    private final String word;

    BatchPlacement(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public JobPlanner planner() {
        return switch (this) {
            case FIRST_FIT -> new RandomisedFirstFit();
            case POWER_OF_TWO -> new TaskByTask(Choice.bestOf(2, new BestFit()));
            case BEST_FIT -> new TaskByTask(Choice.best(new BestFit()));
            case WORST_FIT -> new TaskByTask(Choice.best(new WorstFit()));
        };
    }

    /** The placement with that name. Another name is refused with the list of known ones. */
    static BatchPlacement of(String word) {
        return Arrays.stream(values())
                .filter(placement -> placement.word.equals(word))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("option placement is one of " + words() + ", not " + word));
    }

    static String words() {
        return Arrays.stream(values()).map(BatchPlacement::word).collect(Collectors.joining(", "));
    }
}
