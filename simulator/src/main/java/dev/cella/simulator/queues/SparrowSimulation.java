package dev.cella.simulator.queues;

import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;

/** Sparrow: batch sampling and late binding. */
public final class SparrowSimulation implements Architecture {
    @Override
    public String label() {
        return "sparrow";
    }

    @Override
    public String description() {
        return "each job probes machines at random; the first that have room get its tasks (SOSP 2013)";
    }

    @Override
    public RunResult run(RunParameters parameters, RunWork work, RunProgress progress) {
        EventHeap heap = new EventHeap();
        SparrowCell cell = new SparrowCell(parameters, heap);
        cell.prefill(work.standing());
        work.run(heap, parameters.endNanos(), progress, cell::submit);
        return cell.result();
    }
}
