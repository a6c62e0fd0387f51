package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of a scheduler's jobs: by priority, by age, or by priority with ageing. With ageing, waiting counts like priority,
 * so that a stream of important jobs cannot block a less important one forever.
 *
 * <p>The age of a job begins when it gets tasks to place. Retries keep it: they neither move a job before one of higher
 * priority nor behind a later one.
 *
 * @param stepMillis the waiting time that counts as one step of priority; empty if waiting never counts
 */
public record QueueOrder(Optional<Long> stepMillis) {
    private static final Duration STEP_MAX = Duration.ofDays(365);

    /** By priority; first come, first served among equals. */
    public static final QueueOrder PRIORITY = new QueueOrder(Optional.empty());

    /** First come, first served, independent of priority. */
    public static final QueueOrder FIFO = new QueueOrder(Optional.of(0L));

    /** The option for types that let their user choose the order. */
    public static final SchedulerOption OPTION = new SchedulerOption(
            "order",
            "priority",
            "which job is next: priority, fifo, or ageing:10m, where waiting 10m counts like one step of priority");

    private static final Pattern AGEING = Pattern.compile("ageing:(\\d{1,9})(ms|s|m|h)");

    public QueueOrder {
        stepMillis.ifPresent(millis -> {
            if (millis < 0 || millis > STEP_MAX.toMillis()) {
                throw new IllegalArgumentException(
                        "a step of priority is worth a wait of up to " + STEP_MAX.toDays() + " days");
            }
        });
    }

    /** By priority, where waiting for {@code step} counts like one step of priority. */
    public static QueueOrder ageing(Duration step) {
        return new QueueOrder(Optional.of(step.toMillis()));
    }

    /** Reads {@link #OPTION}. */
    public static QueueOrder of(SchedulerOptions options) {
        return parse(options.text(OPTION.name()));
    }

    static QueueOrder parse(String text) {
        Matcher ageing = AGEING.matcher(text);
        if (ageing.matches()) {
            return ageing(duration(Long.parseLong(ageing.group(1)), ageing.group(2)));
        }
        return switch (text) {
            case "priority" -> PRIORITY;
            case "fifo" -> FIFO;
            default ->
                throw new IllegalArgumentException(
                        "option order is priority, fifo, or ageing:10m with ms, s, m or h, not " + text);
        };
    }

    private static Duration duration(long number, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /**
     * Negative if a job of that priority, waiting since then, comes before the other; 0 if this order does not decide.
     */
    public int compare(int priority, CellTime since, int otherPriority, CellTime otherSince) {
        if (stepMillis.isEmpty()) {
            return Integer.compare(otherPriority, priority);
        }
        long step = stepMillis.get();
        return Long.compare(since.millis() - step * priority, otherSince.millis() - step * otherPriority);
    }
}
