package dev.cella.agent.reconciler;

import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reconciler's record of one attempt. Owned by {@link Reconciler}. */
final class LocalAttempt {
    /** The phases of an attempt on this machine. */
    enum Phase {
        /** Others must end first, or the lease must be renewed. */
        WAITING,
        /** Its specification is requested. */
        FETCHING,
        /** The runner was told to start it. */
        STARTING,
        RUNNING,
        /** None of its processes is left. The record stays until the cell no longer shows the attempt. */
        ENDED;

        /** The runner was told to start it, now or once. */
        boolean hasBegun() {
            return mayHaveProcess() || this == ENDED;
        }

        boolean mayHaveProcess() {
            return this == STARTING || this == RUNNING;
        }
    }

    static final long NEVER = Long.MAX_VALUE;

    final Assignment assignment;
    Phase phase = Phase.WAITING;

    /** The cell's last view of it; empty once the cell does not show it here. */
    Optional<ShownAttempt> shown;

    /** The number of the last look at the view that showed it. */
    long seenByLook;

    /** The cell has answered that it is not the task's current attempt. */
    boolean isDisowned;

    boolean isToldToEnd;

    /** It was started as spare work and has not been upgraded since, as far as its runner knows. */
    boolean isSpare;

    /**
     * It began under an earlier agent, or before the cell was restored, and no view has come since: it is unknown whether the
     * cell shows it.
     */
    boolean awaitsView;

    long killDueMillis = NEVER;
    long timeoutDueMillis = NEVER;

    /** How it stands with its check, as far as its runner has said it; NONE without a check. */
    TaskReason check = TaskReason.NONE;

    /** Why this agent ended it: it took too long, or was unhealthy. */
    TaskReason endedBecause = TaskReason.NONE;

    /** Its end, once it has ended. */
    Optional<TaskEnd> end = Optional.empty();

    /** The reports without an answer, the oldest first; only that one is under way. */
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

    /** The cell shows it running, or about to, and not that its check has passed. */
    boolean isShownUnchecked() {
        return shown.isPresent()
                && shown.get().state() != TaskState.STOPPING
                && shown.get().reason() != TaskReason.CHECKED;
    }

    /** It has not begun, and no other attempt must end before it does. */
    boolean waitsAlone() {
        return phase == Phase.WAITING && shown.filter(task -> !task.waits()).isPresent();
    }

    Launch launch(GroupRun itsRun) {
        run = itsRun;
        isSpare = shown.filter(ShownAttempt::spare).isPresent();
        return new Launch(assignment, itsRun, shown.map(ShownAttempt::members).orElse(Map.of()), isSpare);
    }

    /** An attempt that an earlier agent started. */
    static LocalAttempt adopted(Adopted adopted, long nowMillis) {
        LocalAttempt attempt = new LocalAttempt(adopted.launch().assignment());
        attempt.awaitsView = true;
        attempt.isSpare = adopted.launch().spare();
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

    /** Its time counts from its start. */
    void setTimeout(long startedMillis) {
        if (run != null && run.settings().timeoutMillis() > 0) {
            timeoutDueMillis = startedMillis + run.settings().timeoutMillis();
        }
    }

    /** When the first of its timers is due. */
    long dueMillis() {
        return Math.min(timeoutDueMillis, Math.min(retryDueMillis, killDueMillis));
    }

    /** The grace of the stop, or the grace of its job if the stop has none. */
    long graceMillis() {
        long usual = run == null ? 0 : run.stopGraceMillis();
        return shown.map(task -> task.stopGraceMillis().orElse(usual)).orElse(usual);
    }

    /**
     * The report of its end. A task that was told to end counts as killed or preempted, with any exit code. If the cell does
     * not show that it said so, it said so before it was restored: the decision is lost, and with it the task. Spare work that
     * this agent ended counts as lost, too, because it is no failure of the task.
     */
    Report report(TaskEnd end, long atMillis) {
        if (end.isReturned() && !isShownAs(TaskState.STOPPING)) {
            return new Report(assignment, TaskState.LOST, end.exitCode(), end.reason(), atMillis);
        }
        boolean wasToldInVain = end.signalled() && endedBecause == TaskReason.NONE && !isShownAs(TaskState.STOPPING);
        if (end.isUnknown() || wasToldInVain) {
            TaskEnd unknown = TaskEnd.unknown();
            return new Report(assignment, TaskState.LOST, unknown.exitCode(), unknown.reason(), atMillis);
        }
        if (endedBecause != TaskReason.NONE && !isShownAs(TaskState.STOPPING)) {
            TaskState state = endedBecause == TaskReason.PREEMPTED ? TaskState.LOST : TaskState.FAILED;
            return new Report(assignment, state, end.exitCode(), endedBecause, atMillis);
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
