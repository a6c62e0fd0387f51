package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.proto.ScenarioFile;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutSchedulerTest {
    private static final String SCENARIO = """
            name: cut-a
            machines: 2
            safety: 2s
            liveness: 2s
            load: {jobs: 2}
            schedulers: [{name: a, type: batch}, {name: batch, type: batch}]
            faults: [{fault: cut, on: a, at: 500ms, for: 1s}]
            """;

    @Test
    void cutOnOneScheduler_leavesThoseAloneWhoseNamesContainIts() throws Exception {
        Scenario scenario = ScenarioFiles.scenario(new JsonCodec()
                .readLocated(ScenarioFile.getDefaultInstance(), Source.yaml(SCENARIO))
                .message());
        List<FaultRun> faults = new SimulatedRun(scenario, scenario.faults(), 1, SchedulerTypes.installed())
                .run()
                .faults();
        assertThat(faults).extracting(FaultRun::on).singleElement().asString().startsWith("scheduler-a-");
        assertThat(faults.get(0).on()).doesNotContain("batch");
    }
}
