package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which of a scheduler's jobs is next: by priority alone, by age alone, or by priority with ageing, where waiting counts
 * like priority, so that a stream of important jobs does not keep a humble one waiting for ever.
 *
 * <p>A job has its age from when it came to have tasks to place, and keeps it over retries: those neither move it before a
 * job of higher priority nor behind one that came later.
 *
 * @param stepMillis how long a wait is worth as much as one step of priority; none where no wait ever is
 */
public record QueueOrder(Optional<Long> stepMillis) {
    private static final Duration STEP_MAX = Duration.ofDays(365);

    /** By priority, and among equals first come, first served. */
    public static final QueueOrder PRIORITY = new QueueOrder(Optional.empty());

    /** First come, first served, whatever the priority. */
    public static final QueueOrder FIFO = new QueueOrder(Optional.of(0L));

    /** What a type of scheduler offers that lets its user choose. */
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

    /** By priority, where waiting for so long counts like one step of it. */
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

    /** Negative if a job of that priority, waiting since then, comes before the other; 0 if this order does not tell. */
    public int compare(int priority, CellTime since, int otherPriority, CellTime otherSince) {
        return stepMillis
                .map(step -> Long.compare(since.millis() - step * priority, otherSince.millis() - step * otherPriority))
                .orElseGet(() -> Integer.compare(otherPriority, priority));
    }
}
