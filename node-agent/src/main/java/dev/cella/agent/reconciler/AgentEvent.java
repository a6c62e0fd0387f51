package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import java.util.List;

/** The events for a {@link Reconciler}. */
public sealed interface AgentEvent {
    /** The machine's agent begins its work. */
    record Begun() implements AgentEvent {}

    /**
     * The machine is registered; from now on the cell shows what must run on it.
     *
     * @param leaseMillis counts from the first request for this registration, because the cell may have decided that one
     */
    record Registered(long leaseMillis) implements AgentEvent {}

    /** The cell has renewed the lease of this registration; the lease counts from the time of the request. */
    record Renewed(long askedAtMillis) implements AgentEvent {}

    /** The cell did not answer, or refused the machine. */
    record NotRegistered() implements AgentEvent {}

    /** The cell has given this registration up: its tasks are LOST, and may run elsewhere. */
    record LeaseLost() implements AgentEvent {}

    /**
     * The cell was founded again from its state at that version, and has this machine in it. Attempts placed up to that version
     * go on. Later ones are lost with the state that knew them.
     */
    record Restored(long version) implements AgentEvent {}

    /** Another agent has registered a machine of this name, later than this one. */
    record TakenOver() implements AgentEvent {}

    /** Everything that the cell shows on this machine, at a version that never goes back. */
    record ViewAdvanced(List<ShownAttempt> shown) implements AgentEvent {
        public ViewAdvanced {
            shown = List.copyOf(shown);
        }
    }

    /** An earlier agent of this machine has left these attempts. This is the first event. */
    record Adopts(List<Adopted> attempts) implements AgentEvent {
        public Adopts {
            attempts = List.copyOf(attempts);
        }
    }

    /** The attempt failed its check too often. */
    record Unhealthy(PlacementId placement) implements AgentEvent {}

    record SpecificationFound(JobRuns runs) implements AgentEvent {}

    /** The cell has no such specification, or it cannot be run. */
    record SpecificationMissing(JobId job, int generation) implements AgentEvent {}

    record SpecificationUnanswered(JobId job, int generation) implements AgentEvent {}

    /** The runner has started the attempt's process. */
    record Started(PlacementId placement) implements AgentEvent {}

    /** None of the attempt's processes is left, or there never was one. */
    record Ended(PlacementId placement, TaskEnd end) implements AgentEvent {}

    record ReportAnswered(Report report, Answer answer) implements AgentEvent {}

    record ReportUnanswered(Report report) implements AgentEvent {}

    /** The time of {@link Reconciler#dueAtMillis} has come. */
    record TimerFired() implements AgentEvent {}

    /** The cell's answers to a report. */
    enum Answer {
        ACCEPTED,
        /** Not a legal step from the cell's state, for instance because the cell knows already. */
        REFUSED,
        /** The placement is not the task's current one. */
        STOP_IT
    }
}
