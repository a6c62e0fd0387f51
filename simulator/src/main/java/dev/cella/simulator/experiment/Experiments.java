package dev.cella.simulator.experiment;

import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.UnknownWordException;
import dev.cella.simulator.megha.MeghaSimulation;
import dev.cella.simulator.monolithic.Monolithic;
import dev.cella.simulator.offers.TwoLevel;
import dev.cella.simulator.queues.ApolloSimulation;
import dev.cella.simulator.queues.SparrowSimulation;
import dev.cella.simulator.replicated.FairSharing;
import dev.cella.simulator.replicated.OffersOnLoops;
import dev.cella.simulator.replicated.Partitioned;
import dev.cella.simulator.replicated.Replicated;
import java.util.List;
import java.util.stream.Stream;

/** The registry of names: the architectures, and their figures. */
public final class Experiments {
    private final List<Architecture> architectures;

    /**
     * @param types the scheduler types of the shared-state architecture
     */
    public Experiments(List<SchedulerProvider> types) {
        architectures = List.of(
                Monolithic.SINGLE_PATH,
                Monolithic.MULTI_PATH,
                new Partitioned(types),
                new Replicated(types),
                new TwoLevel(),
                new OffersOnLoops(types),
                new FairSharing(types),
                new ApolloSimulation(),
                new SparrowSimulation(),
                new MeghaSimulation());
    }

    public List<Architecture> architectures() {
        return architectures;
    }

    public List<Figure> figures() {
        return Stream.of(Figures.ALL, OffersFigures.ALL, MeghaFigures.ALL)
                .flatMap(List::stream)
                .toList();
    }

    /** The architecture that the parameters name. */
    public Architecture architecture(RunParameters parameters) {
        String name = parameters.architecture();
        return architectures.stream()
                .filter(each -> each.label().equals(name))
                .findFirst()
                .orElseThrow(() -> new UnknownWordException(
                        "architecture", name, architectures.stream().map(Architecture::label)));
    }

    /** By its name, or by its number alone. */
    public Figure figure(String name) {
        return figures().stream()
                .filter(figure -> figure.name().equals(name) || figure.name().equals("figure-" + name))
                .findFirst()
                .orElseThrow(() -> new UnknownWordException(
                        "figure", name, figures().stream().map(Figure::name)));
    }
}
