package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.GroupExplanation;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.MachineFree;
import dev.cella.client.proto.PlacementAttempt;
import dev.cella.client.proto.UnplacedReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExplanationTextTest {
    @Test
    void print_saysTheSentenceFirst_thenEachReasonWithItsCount() {
        JobExplanation explanation = JobExplanation.newBuilder()
                .setJob("big")
                .setSummary("1 task of big pending")
                .addGroups(GroupExplanation.newBuilder()
                        .setGroup("main")
                        .setPending(1)
                        .addReasons(reason("LACKS", 3).setDimension("cpuMilli").setExample("m-1"))
                        .addReasons(reason("NOT_READY", 1).setDetail("DRAINED").setExample("m-4"))
                        .setLargestFree(
                                MachineFree.newBuilder().setMachine("m-2").putFree("cpuMilli", 250)))
                .addAttempts(PlacementAttempt.newBuilder()
                        .setVersion(812)
                        .setPlanned(2)
                        .setAccepted(1)
                        .setConflicted(1))
                .addWakesOn("a machine that gains room")
                .setNeverPlaceable(true)
                .build();
        List<String> lines = new ArrayList<>();
        new ExplanationText(lines::add).print(explanation);

        assertThat(lines)
                .containsExactly(
                        "1 task of big pending",
                        "  main: LACKS cpuMilli on 3 machines, as on m-1",
                        "  main: NOT_READY DRAINED on 1 machine, as on m-4",
                        "  main: the most is free on m-2: 250 cpuMilli",
                        "  attempt at version 812: 1 of 2 placed, 1 lost to others, 0 refused",
                        "  waits for   a machine that gains room",
                        "  no machine of the cell could ever hold it, however empty");
    }

    private static UnplacedReason.Builder reason(String word, long machines) {
        return UnplacedReason.newBuilder().setReason(word).setMachines(machines);
    }
}
