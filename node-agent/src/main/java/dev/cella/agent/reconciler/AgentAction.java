package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;

/** An action that a {@link Reconciler} requests. An event answers each, sooner or later. */
public sealed interface AgentAction {
    /** Performs it with the driver, which has one method per kind, so that a new kind cannot be forgotten. */
    void perform(Driver driver);

    /** Performs each kind of action. */
    interface Driver {
        void register(Register action);

        void fetchSpecification(FetchSpecification action);

        void start(Start action);

        void upgrade(Upgrade action);

        void terminate(Terminate action);

        void kill(Kill action);

        void forget(Forget action);

        void send(Send action);
    }

    /**
     * Register the machine.
     *
     * @param epoch counts the registrations; it is part of the boot id, so that the cell sees another incarnation
     */
    record Register(int epoch) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.register(this);
        }
    }

    record FetchSpecification(JobId job, int generation) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.fetchSpecification(this);
        }
    }

    record Start(Launch launch) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.start(this);
        }
    }

    /** The attempt is spare work no more. */
    record Upgrade(PlacementId placement) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.upgrade(this);
        }
    }

    /** Ask the attempt's processes to end. */
    record Terminate(PlacementId placement) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.terminate(this);
        }
    }

    /** Kill the attempt's processes. */
    record Kill(PlacementId placement) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.kill(this);
        }
    }

    /** The attempt is forgotten; its runner may forget it, too. */
    record Forget(PlacementId placement) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.forget(this);
        }
    }

    record Send(Report report) implements AgentAction {
        @Override
        public void perform(Driver driver) {
            driver.send(this);
        }
    }
}
