package dev.cella.simulator.replicated;

import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.InputSetUp;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerChoice;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Fair sharing with delay scheduling: the shared cell with schedulers of the type {@code fair}, whose jobs read blocks. */
public final class FairSharing implements Architecture {
    private static final String TYPE = "fair";
    private static final int REPLICAS_DEFAULT = 3;

    private final Replicated cells;

    /** The scheduler types, with {@code fair} among them. */
    public FairSharing(List<SchedulerProvider> types) {
        this.cells = new Replicated(types);
    }

    @Override
    public String label() {
        return TYPE;
    }

    @Override
    public String description() {
        return "pools with fair shares, and jobs that wait for machines near their input (EuroSys 2010)";
    }

    @Override
    public RunParameters adopt(RunParameters parameters) {
        InputSetUp input = parameters.input();
        return parameters
                .withBatch(setUp -> setUp.withSchedulers(fair(setUp.schedulers())))
                .withService(setUp -> setUp.withSchedulers(fair(setUp.schedulers())))
                .withInput(input.saidReplicas().isEmpty() ? input.withReplicas(REPLICAS_DEFAULT) : input);
    }

    /** Options of another type say nothing to this one. */
    private static SchedulerChoice fair(SchedulerChoice choice) {
        SortedMap<String, String> options = choice.type().equals(TYPE) ? choice.options() : new TreeMap<>();
        return new SchedulerChoice(choice.count(), TYPE, options);
    }

    @Override
    public RunResult run(RunParameters asked, RunWork work, RunProgress progress) {
        return cells.run(adopt(asked), work, progress);
    }
}
