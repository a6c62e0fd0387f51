package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;

/** An action that a {@link Reconciler} requests. An event answers each, sooner or later. */
public sealed interface AgentAction {
    /**
     * Register the machine.
     *
     * @param epoch counts the registrations; it is part of the boot id, so that the cell sees another incarnation
     */
    record Register(int epoch) implements AgentAction {}

    record FetchSpecification(JobId job, int generation) implements AgentAction {}

    record Start(Launch launch) implements AgentAction {}

    /** The attempt is spare work no more. */
    record Upgrade(PlacementId placement) implements AgentAction {}

    /** Ask the attempt's processes to end. */
    record Terminate(PlacementId placement) implements AgentAction {}

    /** Kill the attempt's processes. */
    record Kill(PlacementId placement) implements AgentAction {}

    /** The attempt is forgotten; its runner may forget it, too. */
    record Forget(PlacementId placement) implements AgentAction {}

    record Send(Report report) implements AgentAction {}
}
