package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import java.util.List;

/** What a {@link Reconciler} hears. */
public sealed interface AgentEvent {
    /** The machine's agent begins its work. */
    record Begun() implements AgentEvent {}

    /** The cell knows this machine; from now on it shows what is to run on it. */
    record Registered() implements AgentEvent {}

    /** The cell did not answer, or would not have the machine. */
    record NotRegistered() implements AgentEvent {}

    /** The cell has given this registration up: what runs under it is LOST, and may run elsewhere. */
    record LeaseLost() implements AgentEvent {}

    /** Another agent has registered a machine of this name, later than this one. */
    record TakenOver() implements AgentEvent {}

    /** What the cell shows on this machine, all of it, as of a version that never goes back. */
    record ViewAdvanced(List<ShownAttempt> shown) implements AgentEvent {
        public ViewAdvanced {
            shown = List.copyOf(shown);
        }
    }

    /** An earlier agent of this machine has left these attempts; told before everything else. */
    record Adopts(List<Adopted> attempts) implements AgentEvent {
        public Adopts {
            attempts = List.copyOf(attempts);
        }
    }

    /** The attempt failed its check too often. */
    record Unhealthy(PlacementId placement) implements AgentEvent {}

    record SpecificationFound(JobRuns runs) implements AgentEvent {}

    /** The cell has no such specification, or one that cannot be run. */
    record SpecificationMissing(JobId job, int generation) implements AgentEvent {}

    record SpecificationUnanswered(JobId job, int generation) implements AgentEvent {}

    /** The runner has started the attempt's process. */
    record Started(PlacementId placement) implements AgentEvent {}

    /** None of the attempt's processes is left, or none was ever there. */
    record Ended(PlacementId placement, TaskEnd end) implements AgentEvent {}

    record ReportAnswered(Report report, Answer answer) implements AgentEvent {}

    record ReportUnanswered(Report report) implements AgentEvent {}

    /** A time that {@link Reconciler#dueAtMillis} named has come. */
    record TimerFired() implements AgentEvent {}

    /** How the cell answers a report. */
    enum Answer {
        ACCEPTED,
        /** Not a legal step from what the cell shows, for instance because it knows already. */
        REFUSED,
        /** The placement is not the task's current one. */
        STOP_IT
    }
}
