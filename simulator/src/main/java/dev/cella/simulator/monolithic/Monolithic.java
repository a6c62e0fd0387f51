package dev.cella.simulator.monolithic;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;

/** Monolithic State Scheduling (chapter 3) in its two forms. */
public enum Monolithic implements Architecture {
    /** One path of code for all jobs: batch jobs have the same decision time as service jobs. */
    SINGLE_PATH("monolithic", "one scheduler, one decision time for all jobs (3.1, 3.2 \"uniform\")") {
        @Override
        public RunParameters adopt(RunParameters parameters) {
            DecisionTime time = parameters.service().decisionTime();
            return parameters.withDecisionTimes(time, time);
        }
    },
    /** Several paths in one scheduler: each workload has its own decision time, and all share the queue. */
    MULTI_PATH("monolithic-multipath", "one scheduler, a decision time for each workload (3.1, 3.2)");

    private final String label;
    private final String description;

    Monolithic(String label, String description) {
        this.label = label;
        this.description = description;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public RunResult run(RunParameters asked, RunWork work, RunProgress progress) {
        RunParameters parameters = adopt(asked);
        EventHeap heap = new EventHeap();
        MonolithicScheduler scheduler = new MonolithicScheduler(parameters, heap);
        scheduler.prefill(work.standing());
        work.run(heap, parameters.endNanos(), progress, scheduler::submit);
        return scheduler.result();
    }
}
