package dev.cella.chaos.processes;

import dev.cella.client.json.NearestName;
import dev.cella.client.proto.CellSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When faults are ended at once: a number of the cell that is above or below a bound for some time. */
public final class AbortCondition {
    private static final List<String> NAMES = List.of("pending", "placed", "running", "down");
    private static final Pattern FORM =
            Pattern.compile("\\s*(\\w+)\\s*(<|>)\\s*(\\d{1,9})(?:\\s+for\\s+(\\d{1,6})(ms|s|m))?\\s*");

    private final String text;
    private final String name;
    private final boolean above;
    private final long bound;
    private final Duration patience;
    private Optional<Instant> since = Optional.empty();

    private AbortCondition(String text, String name, boolean above, long bound, Duration patience) {
        this.text = text;
        this.name = name;
        this.above = above;
        this.bound = bound;
        this.patience = patience;
    }

    /**
     * Parses it.
     *
     * @throws IllegalArgumentException with what is wrong and what would be right
     */
    public static AbortCondition parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' is no condition such as 'pending > 100 for 10s'; it names one of " + String.join(", ", NAMES));
        }
        String name = parts.group(1);
        if (!NAMES.contains(name)) {
            String near = NearestName.to(name, NAMES)
                    .map(each -> "did you mean " + each + "?")
                    .orElse("there are " + String.join(", ", NAMES));
            throw new IllegalArgumentException("the cell has no number '" + name + "': " + near);
        }
        return new AbortCondition(
                text, name, parts.group(2).equals(">"), Long.parseLong(parts.group(3)), patience(parts));
    }

    private static Duration patience(Matcher parts) {
        if (parts.group(4) == null) {
            return Duration.ZERO;
        }
        long amount = Long.parseLong(parts.group(4));
        return switch (parts.group(5)) {
            case "ms" -> Duration.ofMillis(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofSeconds(amount);
        };
    }

    /** Returns whether it has been so for long enough, now that the cell shows this. */
    public boolean isSo(CellSummary cell, Instant now) {
        long value = switch (name) {
            case "pending" -> cell.getTasks().getPending();
            case "placed" -> cell.getTasks().getPlaced();
            case "running" -> cell.getTasks().getRunning();
            default -> cell.getMachines().getDown();
        };
        if (above ? value <= bound : value >= bound) {
            since = Optional.empty();
            return false;
        }
        since = since.or(() -> Optional.of(now));
        return Duration.between(since.get(), now).compareTo(patience) >= 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
