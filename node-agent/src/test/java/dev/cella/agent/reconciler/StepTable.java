package dev.cella.agent.reconciler;

import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The reconciler as a table: what the cell shows of an attempt, what the machine has of it, and the steps that follow. For a
 * machine that has its lease, and a cell that answers at once; there is no time in it.
 */
final class StepTable {
    /** What the machine has of an attempt. */
    enum Has {
        NOTHING,
        FETCHING,
        STARTING,
        RUNNING,
        TOLD,
        ENDED,
        /** Runs since an earlier agent, and no view has come since. */
        ADOPTED,
        /** As that, and has ended. */
        ADOPTED_ENDED
    }

    private static final String TABLE = """
        shown     NOTHING  FETCHING  STARTING  RUNNING  TOLD  ENDED   ADOPTED  ADOPTED_ENDED
        GONE      -        forget    tell      tell     -     forget  tell     forget
        PLACED    fetch    -         -         -        -     -       running  running+end
        RUNNING   lost     -         -         -        -     -       -        end
        STOPPING  stopped  stopped   tell      tell     -     -       tell     end
        """;

    /** What the machine has after those steps. The others leave it as it is, but an adopted attempt has been seen then. */
    private static final Map<String, Has> AFTER = Map.of(
            "fetch", Has.FETCHING,
            "tell", Has.TOLD,
            "running", Has.RUNNING,
            "lost", Has.ENDED,
            "stopped", Has.ENDED,
            "end", Has.ENDED,
            "running+end", Has.ENDED);

    private static final class Attempt {
        Has has = Has.NOTHING;
        String shown = "GONE";
        String reason = "NONE";
        String end = "";
    }

    private final Map<String, String> table = new LinkedHashMap<>();
    private final Map<PlacementId, Attempt> attempts = new LinkedHashMap<>();

    StepTable() {
        List<String[]> rows =
                TABLE.lines().map(line -> line.trim().split(" +", -1)).toList();
        for (String[] row : rows.subList(1, rows.size())) {
            for (int column = 1; column < row.length; column++) {
                table.put(row[0] + " " + rows.get(0)[column], row[column]);
            }
        }
    }

    private Attempt attempt(PlacementId placement) {
        return Objects.requireNonNull(attempts.get(placement));
    }

    Has has(PlacementId placement) {
        Attempt attempt = attempts.get(placement);
        return attempt == null ? Has.NOTHING : attempt.has;
    }

    void adopted(PlacementId placement, String end) {
        Attempt attempt = new Attempt();
        attempt.has = end.isEmpty() ? Has.ADOPTED : Has.ADOPTED_ENDED;
        attempt.end = end;
        attempts.put(placement, attempt);
    }

    List<String> view(List<ShownAttempt> shown) {
        attempts.values().forEach(attempt -> attempt.shown = "GONE");
        for (ShownAttempt task : shown) {
            Attempt attempt = attempts.computeIfAbsent(task.assignment().placement(), unknown -> new Attempt());
            attempt.shown = task.state().name();
            attempt.reason = task.reason().name();
        }
        List<String> steps = new ArrayList<>();
        List.copyOf(attempts.keySet()).forEach(placement -> steps.addAll(follow(placement)));
        return steps;
    }

    private List<String> follow(PlacementId placement) {
        Attempt attempt = attempt(placement);
        String step = table.getOrDefault(attempt.shown + " " + attempt.has, "no such row or column");
        if (step.equals("forget")) {
            attempts.remove(placement);
        } else if (AFTER.containsKey(step)) {
            attempt.has = AFTER.get(step);
        } else if (attempt.has == Has.ADOPTED) {
            attempt.has = Has.RUNNING;
        }
        return switch (step) {
            case "-" -> List.of();
            case "fetch" -> List.of("fetch");
            case "forget", "tell" -> List.of(step + " " + placement);
            case "running" -> List.of(report(placement, "RUNNING - NONE"));
            case "lost" -> List.of(report(placement, "LOST - AGENT_LOST"));
            case "stopped" -> List.of(report(placement, asked(attempt) + " - " + attempt.reason));
            case "end" -> List.of(report(placement, attempt.end));
            case "running+end" -> List.of(report(placement, "RUNNING - NONE"), report(placement, attempt.end));
            default -> throw new AssertionError(step);
        };
    }

    private static TaskState asked(Attempt attempt) {
        return attempt.reason.equals("PREEMPTED") ? TaskState.PREEMPTED : TaskState.KILLED;
    }

    static String report(PlacementId placement, String what) {
        return "report " + placement + " " + what;
    }

    /** The specification that all wait for is there. */
    List<String> found() {
        List<String> steps = new ArrayList<>();
        attempts.forEach((placement, attempt) -> {
            if (attempt.has == Has.FETCHING) {
                attempt.has = Has.STARTING;
                steps.add("start " + placement);
            }
        });
        return steps;
    }

    List<String> started(PlacementId placement) {
        Attempt attempt = attempt(placement);
        if (attempt.has == Has.TOLD) {
            return List.of();
        }
        attempt.has = Has.RUNNING;
        return attempt.shown.equals("PLACED") ? List.of(report(placement, "RUNNING - NONE")) : List.of();
    }

    /** It ended by itself. */
    List<String> ended(PlacementId placement, String end) {
        Attempt attempt = attempt(placement);
        attempt.end = end;
        if (attempt.has == Has.ADOPTED) {
            attempt.has = Has.ADOPTED_ENDED;
            return List.of();
        }
        if (attempt.shown.equals("GONE")) {
            attempts.remove(placement);
            return List.of("forget " + placement);
        }
        attempt.has = Has.ENDED;
        return List.of(report(placement, end));
    }

    /** It ended because it was told to. */
    List<String> endedTold(PlacementId placement, int exitCode) {
        Attempt attempt = attempt(placement);
        return ended(placement, asked(attempt) + " " + exitCode + " " + attempt.reason);
    }
}
