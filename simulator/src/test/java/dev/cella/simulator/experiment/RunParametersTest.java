package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunDraft;
import dev.cella.simulator.engine.RunParameter;
import dev.cella.simulator.engine.RunParameterTable;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.workload.VirtualTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A parameter is used as it was given, or it is refused. */
final class RunParametersTest {
    private static final Experiments EXPERIMENTS =
            new Experiments(List.of(new BatchSchedulerProvider(), new FairSchedulerProvider()));

    @ParameterizedTest
    @CsvSource({"10s, 10000000000, 10000ms", "1.5ms, 1500000, 1500000ns", "1ms, 1000000, 1ms"})
    void heartbeat_isUsedAsGiven(String said, long nanos, String shown) {
        RunParameters run = run("--heartbeat", said);
        assertThat(run.decentral().heartbeatNanos(30)).isEqualTo(nanos);
        assertThat(parameter("heartbeat").shown().apply(run)).isEqualTo(shown);
    }

    @Test
    void heartbeat_thatIsNotGiven_isTheArchitectures() {
        assertThat(run().decentral().heartbeatNanos(30)).isEqualTo(30 * VirtualTime.NANOS_PER_SECOND);
        assertThat(parameter("heartbeat").shown().apply(run())).isEqualTo("the architecture's");
    }

    @ParameterizedTest
    @CsvSource({
        "--heartbeat, 0s, reports come at most once in 1ms",
        "--heartbeat, 0.5ms, reports come at most once in 1ms",
        "--wait-machine, 500us, takes whole milliseconds",
        "--hop, 1ms+5ms*tasks, takes a time such as 5s",
        "--hop, soon, takes a time such as 5s"
    })
    void times_thatCannotBeUsed_areRefused(String flag, String said, String answer) {
        assertThatThrownBy(() -> run(flag, said))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining(answer);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "2, 2", ", 3"})
    void replicasOfFair_areThoseThatWereGiven(String said, int replicas) {
        RunParameters run =
                said == null ? run("--architecture", "fair") : run("--architecture", "fair", "--replicas", said);
        assertThat(adopted(run).input().replicas()).isEqualTo(replicas);
    }

    @Test
    void optionsOfFair_areThoseOfItsType() {
        RunParameters run = adopted(run("--architecture", "fair", "--batch-option", "order=fifo"));
        assertThat(run.batch().schedulers().type()).isEqualTo("fair");
        assertThat(run.batch().schedulers().options()).containsEntry("order", "fifo");
        assertThatThrownBy(() -> run("--architecture", "fair", "--batch-scheduler-type", "batch"))
                .hasMessageContaining("fair are of type fair, not batch");
    }

    /** Before the run, so that a comparison does not throw the results of the other architectures away. */
    @ParameterizedTest
    @CsvSource({
        "megha, --slots-per-machine, 1, 8 workers cannot be divided",
        "partitioned, --partition, batch=1, a part of 0 machines is too small"
    })
    void parametersThatAnArchitectureCannotRunWith_areRefusedWhenItAdoptsThem(
            String architecture, String flag, String said, String answer) {
        RunParameters run = run("--architecture", architecture, "--machines", "8", flag, said);
        assertThatThrownBy(() -> adopted(run))
                .isInstanceOf(ImpossibleParameterException.class)
                .hasMessageContaining(answer);
    }

    @Test
    void architecturesThatUseAParameter_exist() {
        List<String> known =
                EXPERIMENTS.architectures().stream().map(Architecture::label).toList();
        for (RunParameter parameter : RunParameterTable.all()) {
            assertThat(known).as(parameter.flag()).containsAll(parameter.architectures());
        }
        assertThat(parameter("conflict-rule").isUsedBy(List.of("sparrow", "apollo", "megha")))
                .isFalse();
        assertThat(parameter("conflict-rule").isUsedBy(List.of("sparrow", "replicated")))
                .isTrue();
        assertThat(parameter("machines").isUsedBy(List.of("sparrow"))).isTrue();
    }

    private static RunParameters adopted(RunParameters run) {
        return EXPERIMENTS.architecture(run).adopt(run);
    }

    /** The run of flags and their values, by turns. */
    private static RunParameters run(String... said) {
        RunDraft draft = new RunDraft();
        for (int at = 0; at < said.length; at += 2) {
            parameter(said[at].substring(2)).read(draft, said[at + 1]);
        }
        return draft.build();
    }

    private static RunParameter parameter(String flag) {
        return RunParameterTable.all().stream()
                .filter(each -> each.flag().equals(flag))
                .findFirst()
                .orElseThrow();
    }
}
