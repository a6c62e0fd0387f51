package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunWork;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * "Megha: Decentralized Global Fair Scheduling for Federated Clusters", section VI. Each figure quotes the sentences that are
 * checked here, on one seed and a quarter of the time; {@code -Dcella.long=true} runs the whole of it.
 */
class MeghaTrendsPaperTest {
    private static final double SHORT_DAYS = 0.005;
    private static final Experiments EXPERIMENTS = new Experiments(List.of());

    static List<Figure> figures() {
        return MeghaFigures.ALL;
    }

    @ParameterizedTest
    @MethodSource("figures")
    void everySentence_holds(Figure figure) {
        double days = Boolean.getBoolean("cella.long") ? figure.days() : SHORT_DAYS;
        FigureData data = new FigureData();
        for (FigurePoint point : figure.points()) {
            RunParameters run = point.parameters().lasting(days, 1);
            data.add(point, EXPERIMENTS.architecture(run).run(run, RunWork.of(run, List.of()), RunProgress.UNHEARD));
        }
        for (Statement statement : figure.statements()) {
            Finding finding = statement.check().apply(data);
            assertThat(finding.agrees())
                    .as("%s: %s: %s", figure.name(), statement.text(), finding.measured())
                    .isTrue();
        }
    }
}
