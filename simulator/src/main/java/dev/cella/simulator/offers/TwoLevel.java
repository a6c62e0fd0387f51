package dev.cella.simulator.offers;

import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;

/** Dynamically partitioned state (chapter 4): a framework for each workload, and an allocator that makes offers. */
public final class TwoLevel implements Architecture {
    @Override
    public String label() {
        return "offers";
    }

    @Override
    public String description() {
        return "an allocator offers all that is free to one framework at a time (chapter 4)";
    }

    @Override
    public RunResult run(RunParameters parameters, RunWork work, RunProgress progress) {
        EventHeap heap = new EventHeap();
        SimulatedAllocator allocator = new SimulatedAllocator(parameters, heap);
        allocator.prefill(work.standing());
        work.run(heap, parameters.endNanos(), progress, allocator::submit);
        return allocator.result();
    }
}
