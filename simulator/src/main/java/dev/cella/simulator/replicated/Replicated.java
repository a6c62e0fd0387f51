package dev.cella.simulator.replicated;

import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.Optional;

/** Replicated State Scheduling (chapter 6): many schedulers, each on its own view, one conflict rule. */
public final class Replicated implements Architecture {
    private final List<SchedulerProvider> types;

    /** The scheduler types that a run may name. */
    public Replicated(List<SchedulerProvider> types) {
        this.types = List.copyOf(types);
    }

    @Override
    public String label() {
        return "replicated";
    }

    @Override
    public String description() {
        return "any number of schedulers over one shared, transactional cell state (chapter 6)";
    }

    @Override
    public RunResult run(RunParameters parameters, RunWork work, RunProgress progress) {
        return simulate(parameters, work, progress).result();
    }

    /** The cell at the end of the run. */
    ReplicatedCell simulate(RunParameters parameters, RunWork work, RunProgress progress) {
        return simulate(parameters, work, StaticParts.SHARED, progress);
    }

    /** The cell as it is when the run is over. */
    ReplicatedCell simulate(RunParameters parameters, RunWork work, StaticParts parts, RunProgress progress) {
        return simulate(parameters, work, parts, Optional.empty(), progress);
    }

    /** With an allocator, if there is one, that makes offers to all schedulers. */
    ReplicatedCell simulate(
            RunParameters parameters,
            RunWork work,
            StaticParts parts,
            Optional<SchedulerProvider> allocator,
            RunProgress progress) {
        EventHeap heap = new EventHeap();
        ReplicatedCell cell = new ReplicatedCell(parameters, heap, parts, allocator);
        cell.prefill(work.standing());
        for (Workload workload : Workload.values()) {
            SchedulerChoice choice = parameters.setUp(workload).schedulers();
            cell.addSchedulers(workload, choice, provider(choice));
        }
        work.run(heap, parameters.endNanos(), progress, cell::submit);
        return cell;
    }

    private SchedulerProvider provider(SchedulerChoice choice) {
        return types.stream()
                .filter(provider -> provider.type().equals(choice.type()))
                .findFirst()
                .orElseThrow(() -> new ImpossibleParameterException(
                        "there is no scheduler type " + choice.type(),
                        "one of " + types.stream().map(SchedulerProvider::type).toList()));
    }
}
