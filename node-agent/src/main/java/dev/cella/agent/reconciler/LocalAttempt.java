package dev.cella.agent.reconciler;

import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a {@link Reconciler} remembers of one attempt. Owned by it. */
final class LocalAttempt {
    /** How far the attempt has come on this machine. */
    enum Phase {
        /** Others must end first. */
        WAITING,
        /** Its specification is asked for. */
        FETCHING,
        /** The runner is asked to start it. */
        STARTING,
        RUNNING,
        /** No process of it is left. It is remembered until the cell does not show it any more. */
        ENDED;

        boolean mayHaveProcess() {
            return this == STARTING || this == RUNNING;
        }
    }

    static final long NEVER = Long.MAX_VALUE;

    final Assignment assignment;
    Phase phase = Phase.WAITING;

    /** As the cell showed it last; nothing once it does not show it here. */
    Optional<ShownAttempt> shown;

    /** The cell has answered that it is not the task's current attempt. */
    boolean isDisowned;

    boolean isToldToEnd;

    /** An earlier agent started it, and this one has seen no view since: nobody knows yet whether the cell shows it. */
    boolean awaitsView;

    long killDueMillis = NEVER;
    long timeoutDueMillis = NEVER;

    /** Why this agent ended it by itself: it took too long, or was unhealthy. */
    TaskReason endedBecause = TaskReason.NONE;

    /** How it ended, if that was before this agent saw its first view. */
    Optional<TaskEnd> end = Optional.empty();

    /** Not answered yet, the oldest first; only that one is under way. */
    final Deque<Report> reports = new ArrayDeque<>();

    int failures;
    long retryDueMillis = NEVER;
    private @Nullable GroupRun run;

    LocalAttempt(ShownAttempt shown) {
        this.assignment = shown.assignment();
        this.shown = Optional.of(shown);
    }

    boolean isShownAs(TaskState state) {
        return shown.isPresent() && shown.get().state() == state;
    }

    Launch launch(GroupRun itsRun) {
        run = itsRun;
        return new Launch(assignment, itsRun, shown.map(ShownAttempt::members).orElse(Map.of()));
    }

    /** One that an earlier agent started. */
    static LocalAttempt adopted(Adopted adopted, long nowMillis) {
        LocalAttempt attempt = new LocalAttempt(adopted.launch().assignment());
        attempt.awaitsView = true;
        attempt.run = adopted.launch().run();
        attempt.end = adopted.end();
        attempt.phase = adopted.end().isPresent() ? Phase.ENDED : Phase.RUNNING;
        attempt.setTimeout(nowMillis - adopted.ranMillis());
        return attempt;
    }

    private LocalAttempt(Assignment assignment) {
        this.assignment = assignment;
        this.shown = Optional.empty();
    }

    /** Its time is counted from its start. */
    void setTimeout(long startedMillis) {
        if (run != null && run.settings().timeoutMillis() > 0) {
            timeoutDueMillis = startedMillis + run.settings().timeoutMillis();
        }
    }

    long graceMillis() {
        return run == null ? 0 : run.stopGraceMillis();
    }

    /** What to say about its end. One that was told to end was killed or preempted, whatever its exit code is. */
    Report report(TaskEnd end, long atMillis) {
        if (end.isUnknown()) {
            return new Report(assignment, TaskState.LOST, end.exitCode(), end.reason(), atMillis);
        }
        if (endedBecause != TaskReason.NONE && !isShownAs(TaskState.STOPPING)) {
            return new Report(assignment, TaskState.FAILED, end.exitCode(), endedBecause, atMillis);
        }
        TaskReason asked = shown.map(ShownAttempt::reason).orElse(TaskReason.NONE);
        if (end.signalled()) {
            TaskState state = asked == TaskReason.PREEMPTED ? TaskState.PREEMPTED : TaskState.KILLED;
            return new Report(assignment, state, end.exitCode(), asked, atMillis);
        }
        TaskState state = end.isSuccess() ? TaskState.FINISHED : TaskState.FAILED;
        return new Report(assignment, state, end.exitCode(), end.reason(), atMillis);
    }
}
