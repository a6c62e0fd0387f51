package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.GroupExplanation;
import dev.cella.client.proto.GroupQueue;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.UnplacedReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {
    @Test
    void reasons_nameTheJobThatHoldsRoom_andTheGroupsThatComeFirst() {
        assertThat(lines(JobExplanation.newBuilder()
                        .setSummary("2 tasks of late pending: 2 machines have the room held for job gang")
                        .addGroups(group(reason("HELD", "job gang", 2), reason("AFTER", "map (3 of 5 not over)", 0)))))
                .containsExactly(
                        "2 tasks of late pending: 2 machines have the room held for job gang",
                        "  main: HELD job gang on 2 machines, as on m-1",
                        "  main: AFTER map (3 of 5 not over)");
    }

    @Test
    void jobThatAQuotaKeepsBackForever_blamesNoMachine() {
        JobExplanation.Builder never = JobExplanation.newBuilder()
                .setSummary("1 task of big can never be placed: its pool is too small")
                .setNeverPlaceable(true)
                .addGroups(group(reason("QUOTA", "the quota of pool tiny", 0)));
        assertThat(lines(never)).noneMatch(line -> line.contains("no machine"));
        never.setGroups(0, group(reason("TOO_SMALL", "", 4)));
        assertThat(lines(never)).last().asString().contains("no machine of the cell could ever hold it");
    }

    @Test
    void queuedTasks_areShownByQueue() {
        GroupExplanation queued = group().toBuilder()
                .setQueued(3)
                .addQueues(GroupQueue.newBuilder().setMachine("m-1").setTasks(1).setHead("bag/main/0"))
                .addQueues(GroupQueue.newBuilder()
                        .setMachine("m-2")
                        .setTasks(2)
                        .setBefore(5)
                        .setHead("web/main/7")
                        .setHeadLacks("memoryMib"))
                .build();

        assertThat(lines(JobExplanation.newBuilder().setSummary("3 tasks").addGroups(queued)))
                .containsExactly(
                        "3 tasks",
                        "  main: 1 task in the queue of m-1, at its head",
                        "  main: 2 tasks in the queue of m-2, behind 5 of others; web/main/7 at its head lacks memoryMib");
    }

    private static GroupExplanation group(UnplacedReason... reasons) {
        return GroupExplanation.newBuilder()
                .setGroup("main")
                .addAllReasons(List.of(reasons))
                .build();
    }

    private static UnplacedReason reason(String word, String detail, long machines) {
        UnplacedReason.Builder reason =
                UnplacedReason.newBuilder().setReason(word).setMachines(machines);
        if (!detail.isEmpty()) {
            reason.setDetail(detail);
        }
        return machines > 0 ? reason.setExample("m-1").build() : reason.build();
    }

    private static List<String> lines(JobExplanation.Builder explanation) {
        List<String> lines = new ArrayList<>();
        new ExplanationText(lines::add).print(explanation.build());
        return lines;
    }
}
