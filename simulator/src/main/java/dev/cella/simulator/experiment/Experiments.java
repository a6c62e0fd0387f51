package dev.cella.simulator.experiment;

import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.monolithic.Monolithic;
import dev.cella.simulator.replicated.Replicated;
import java.util.List;

/** Everything that has a name here: the architectures, and the figures that are drawn of them. */
public final class Experiments {
    private final List<Architecture> architectures;

    /** Schedulers of these types can be chosen for the shared-state architecture. */
    public Experiments(List<SchedulerProvider> types) {
        architectures = List.of(Monolithic.SINGLE_PATH, Monolithic.MULTI_PATH, new Replicated(types));
    }

    public List<Architecture> architectures() {
        return architectures;
    }

    public List<Figure> figures() {
        return Figures.ALL;
    }

    /** The architecture of a run whose parameters name one that there is. */
    public Architecture architecture(RunParameters parameters) {
        return architectures.stream()
                .filter(each -> each.label().equals(parameters.architecture()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no architecture " + parameters.architecture()));
    }
}
