package dev.cella.simulator.queues;

import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;

/** Apollo: a job manager for each job, which plans on the wait-time matrices of machines. */
public final class ApolloSimulation implements Architecture {
    @Override
    public String label() {
        return "apollo";
    }

    @Override
    public String description() {
        return "each job sends tasks to the queues where they should complete first, and corrects later (OSDI 2014)";
    }

    @Override
    public RunResult run(RunParameters parameters, RunWork work, RunProgress progress) {
        EventHeap heap = new EventHeap();
        ApolloCell cell = new ApolloCell(parameters, heap);
        cell.prefill(work.standing());
        work.run(heap, parameters.endNanos(), progress, cell::submit);
        return cell.result();
    }
}
