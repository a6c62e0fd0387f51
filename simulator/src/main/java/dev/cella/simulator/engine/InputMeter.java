package dev.cella.simulator.engine;

import dev.cella.simulator.workload.VirtualTime;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Counts where tasks with input are placed, and when their jobs end. */
public final class InputMeter {
    /** How far a task is from its block. */
    public enum Distance {
        NODE,
        RACK,
        ANY
    }

    private final Map<Distance, Long> tasks = new EnumMap<>(Distance.class);
    private int jobsSubmitted;
    private int jobsEnded;
    private double responseNanos;
    private long lastEndNanos;

    public void submitted() {
        jobsSubmitted++;
    }

    public void placed(Distance distance) {
        tasks.merge(distance, 1L, Long::sum);
    }

    /** Records that a job has ended, and the time since its submission. */
    public void ended(long afterNanos, long nowNanos) {
        jobsEnded++;
        responseNanos += afterNanos;
        lastEndNanos = nowNanos;
    }

    /** Empty where no task read anything. */
    public Optional<InputStats> stats() {
        double all = tasks.values().stream().mapToLong(Long::longValue).sum();
        return all == 0
                ? Optional.empty()
                : Optional.of(new InputStats(
                        (long) all,
                        part(Distance.NODE, all),
                        part(Distance.RACK, all),
                        part(Distance.ANY, all),
                        jobsEnded == 0
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(VirtualTime.seconds(responseNanos / jobsEnded)),
                        jobsEnded < jobsSubmitted
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(VirtualTime.seconds(lastEndNanos))));
    }

    private double part(Distance distance, double all) {
        return tasks.getOrDefault(distance, 0L) / all;
    }
}
