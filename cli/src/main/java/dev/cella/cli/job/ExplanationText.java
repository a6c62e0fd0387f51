package dev.cella.cli.job;

import com.google.protobuf.util.Durations;
import dev.cella.cli.terminal.HarmlessText;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.GroupExplanation;
import dev.cella.client.proto.GroupQueue;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.JobHold;
import dev.cella.client.proto.PlacementAttempt;
import dev.cella.client.proto.TaskFailures;
import dev.cella.client.proto.UnplacedReason;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * An explanation line by line: the summary first, then each group's reasons, the newest attempts, and what it waits for.
 */
final class ExplanationText {
    private static final int ATTEMPTS_SHOWN = 3;

    private final Consumer<String> lines;

    ExplanationText(Consumer<String> lines) {
        this.lines = line -> lines.accept(HarmlessText.word(line));
    }

    void print(JobExplanation explanation) {
        lines.accept(explanation.getSummary());
        explanation.getGroupsList().forEach(this::print);
        explanation.getFailuresList().forEach(this::print);
        explanation.getHoldsList().forEach(this::print);
        explanation.getAttemptsList().stream().limit(ATTEMPTS_SHOWN).forEach(this::print);
        explanation.getPreemptedByList().forEach(line -> lines.accept("  " + line));
        explanation.getWakesOnList().forEach(wake -> lines.accept("  waits for   " + wake));
        if (explanation.getNeverPlaceable()
                && explanation.getGroupsList().stream().anyMatch(ExplanationText::isTooLarge)) {
            lines.accept("  no machine of the cell could ever hold it, however empty");
        }
    }

    /** A quota or a right that is in the way is in the summary. */
    private static boolean isTooLarge(GroupExplanation group) {
        return group.getReasonsList().stream().anyMatch(reason -> reason.getMachines() > 0);
    }

    private void print(GroupExplanation group) {
        group.getQueuesList().forEach(queue -> lines.accept("  " + group.getGroup() + ": " + queue(queue)));
        for (UnplacedReason reason : group.getReasonsList()) {
            lines.accept("  " + group.getGroup() + ": " + reason.getReason() + " " + detail(reason) + where(reason));
        }
        group.getHelpsList().forEach(help -> lines.accept("  " + group.getGroup() + ": one more task with " + help));
        if (group.hasLargestFree()) {
            lines.accept("  " + group.getGroup() + ": the most is free on "
                    + group.getLargestFree().getMachine() + ": "
                    + amounts(group.getLargestFree().getFreeMap()));
        }
    }

    private static String queue(GroupQueue queue) {
        String lacks =
                queue.hasHeadLacks() ? "; " + queue.getHead() + " at its head lacks " + queue.getHeadLacks() : "";
        return count(queue.getTasks()) + " in the queue of " + queue.getMachine() + ", "
                + (queue.getBefore() == 0 ? "at its head" : "behind " + queue.getBefore() + " of others") + lacks;
    }

    private static String count(long tasks) {
        return tasks + (tasks == 1 ? " task" : " tasks");
    }

    private void print(TaskFailures failure) {
        lines.accept("  " + count(failure.getTasks()) + " failed with " + failure.getReason()
                + (failure.hasExitCode() ? " (exit code " + failure.getExitCode() + ")" : "") + ", as "
                + failure.getExample() + ": " + failure.getAdvice());
    }

    private void print(JobHold hold) {
        lines.accept("  holds " + amounts(hold.getHeldMap()) + " of " + amounts(hold.getWantedMap()) + " on "
                + hold.getMachine() + ", for "
                + Words.duration(Duration.ofMillis(Durations.toMillis(hold.getExpiresIn()))) + " more");
    }

    private static String detail(UnplacedReason reason) {
        return reason.hasDimension() ? reason.getDimension() : reason.getDetail();
    }

    /** Some reasons are about no machine. */
    private static String where(UnplacedReason reason) {
        long machines = reason.getMachines();
        return machines == 0 ? "" : " on " + machines + (machines == 1 ? " machine" : " machines") + example(reason);
    }

    private static String example(UnplacedReason reason) {
        return reason.getExample().isEmpty() ? "" : ", as on " + reason.getExample();
    }

    private static String amounts(Map<String, Long> amounts) {
        return amounts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(amount -> amount.getValue() + " " + amount.getKey())
                .collect(Collectors.joining(", "));
    }

    private void print(PlacementAttempt attempt) {
        lines.accept("  attempt at version " + attempt.getVersion() + ": " + attempt.getAccepted() + " of "
                + attempt.getPlanned() + " placed, " + attempt.getConflicted() + " lost to others, "
                + attempt.getRefused() + " refused");
    }
}
