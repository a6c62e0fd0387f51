package dev.cella.simulator.megha;

import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.DecentralSetUp.Variant;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.EventHeap.Ties;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;

/** Megha: global masters with stale views, and local masters that verify. */
public final class MeghaSimulation implements Architecture {
    @Override
    public String label() {
        return "megha";
    }

    @Override
    public String description() {
        return "global masters plan on stale views of all workers; the workers' local masters verify (Megha)";
    }

    @Override
    public RunParameters adopt(RunParameters parameters) {
        MeghaCell.check(parameters);
        return parameters;
    }

    @Override
    public RunResult run(RunParameters parameters, RunWork work, RunProgress progress) {
        boolean isPaper = parameters.decentral().megha().variant() == Variant.PAPER;
        EventHeap heap = new EventHeap(isPaper ? Ties.FIRST_ADDED : Ties.BY_HEAP);
        MeghaCell cell = new MeghaCell(parameters, heap);
        cell.prefill(work.standing());
        work.run(heap, parameters.endNanos(), progress, cell::submit);
        return cell.result();
    }
}
