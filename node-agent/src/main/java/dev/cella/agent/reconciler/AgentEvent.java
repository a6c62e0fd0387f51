package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import java.util.List;

/** The events for a {@link Reconciler}. */
public sealed interface AgentEvent {
    /** Passes the event to the reconciler, which has one method per kind, so that a new kind cannot be forgotten. */
    void tell(Listener listener, long nowMillis);

    /** Handles each kind of event. */
    interface Listener {
        void begun(Begun event, long nowMillis);

        void registered(Registered event, long nowMillis);

        void renewed(Renewed event, long nowMillis);

        void notRegistered(NotRegistered event, long nowMillis);

        void leaseLost(LeaseLost event, long nowMillis);

        void restored(Restored event, long nowMillis);

        void takenOver(TakenOver event, long nowMillis);

        void viewAdvanced(ViewAdvanced event, long nowMillis);

        void adopts(Adopts event, long nowMillis);

        void noRoom(NoRoom event, long nowMillis);

        void checked(Checked event, long nowMillis);

        void unhealthy(Unhealthy event, long nowMillis);

        void specificationFound(SpecificationFound event, long nowMillis);

        void specificationMissing(SpecificationMissing event, long nowMillis);

        void specificationUnanswered(SpecificationUnanswered event, long nowMillis);

        void started(Started event, long nowMillis);

        void ended(Ended event, long nowMillis);

        void reportAnswered(ReportAnswered event, long nowMillis);

        void reportUnanswered(ReportUnanswered event, long nowMillis);

        void timerFired(TimerFired event, long nowMillis);
    }

    /** The machine's agent begins its work. */
    record Begun() implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.begun(this, nowMillis);
        }
    }

    /**
     * The machine is registered; from now on the cell shows what must run on it.
     *
     * @param leaseMillis counts from the first request for this registration, because the cell may have decided that one
     */
    record Registered(long leaseMillis) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.registered(this, nowMillis);
        }
    }

    /** The cell has renewed the lease of this registration; the lease counts from the time of the request. */
    record Renewed(long askedAtMillis) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.renewed(this, nowMillis);
        }
    }

    /** The cell did not answer, or refused the machine. */
    record NotRegistered() implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.notRegistered(this, nowMillis);
        }
    }

    /** The cell has given this registration up: its tasks are LOST, and may run elsewhere. */
    record LeaseLost() implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.leaseLost(this, nowMillis);
        }
    }

    /**
     * The cell was founded again from its state at that version, and has this machine in it. Attempts placed up to that version
     * go on. Later ones are lost with the state that knew them.
     */
    record Restored(long version) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.restored(this, nowMillis);
        }
    }

    /** Another agent has registered a machine of this name, later than this one. */
    record TakenOver() implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.takenOver(this, nowMillis);
        }
    }

    /** Everything that the cell shows on this machine, at a version that never goes back. */
    record ViewAdvanced(List<ShownAttempt> shown) implements AgentEvent {
        public ViewAdvanced {
            shown = List.copyOf(shown);
        }

        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.viewAdvanced(this, nowMillis);
        }
    }

    /** An earlier agent of this machine has left these attempts. This is the first event. */
    record Adopts(List<Adopted> attempts) implements AgentEvent {
        public Adopts {
            attempts = List.copyOf(attempts);
        }

        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.adopts(this, nowMillis);
        }
    }

    /** The machine has no room for this spare task any more. */
    record NoRoom(PlacementId placement) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.noRoom(this, nowMillis);
        }
    }

    /** The attempt has passed its check, for the first time under this agent. */
    record Checked(PlacementId placement) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.checked(this, nowMillis);
        }
    }

    /** The attempt failed its check too often. */
    record Unhealthy(PlacementId placement) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.unhealthy(this, nowMillis);
        }
    }

    record SpecificationFound(JobRuns runs) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.specificationFound(this, nowMillis);
        }
    }

    /** The cell has no such specification, or it cannot be run. */
    record SpecificationMissing(JobId job, int generation) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.specificationMissing(this, nowMillis);
        }
    }

    record SpecificationUnanswered(JobId job, int generation) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.specificationUnanswered(this, nowMillis);
        }
    }

    /**
     * The runner has started the attempt's process.
     *
     * @param unchecked whether it has a check, of which the runner will say when it passes
     */
    record Started(PlacementId placement, boolean unchecked) implements AgentEvent {
        public Started(PlacementId placement) {
            this(placement, false);
        }

        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.started(this, nowMillis);
        }
    }

    /** None of the attempt's processes is left, or there never was one. */
    record Ended(PlacementId placement, TaskEnd end) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.ended(this, nowMillis);
        }
    }

    record ReportAnswered(Report report, Answer answer) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.reportAnswered(this, nowMillis);
        }
    }

    record ReportUnanswered(Report report) implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.reportUnanswered(this, nowMillis);
        }
    }

    /** The time of {@link Reconciler#dueAtMillis} has come. */
    record TimerFired() implements AgentEvent {
        @Override
        public void tell(Listener listener, long nowMillis) {
            listener.timerFired(this, nowMillis);
        }
    }

    /** The cell's answers to a report. */
    enum Answer {
        ACCEPTED,
        /** Not a legal step from the cell's state, for instance because the cell knows already. */
        REFUSED,
        /** The placement is not the task's current one. */
        STOP_IT
    }
}
