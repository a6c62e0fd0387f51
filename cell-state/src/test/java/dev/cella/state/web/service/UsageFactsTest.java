package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.TaskUsage;
import dev.cella.client.proto.UsageTotal;
import dev.cella.state.core.Samples;
import dev.cella.state.core.Time;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UsageFactsTest {
    private static final int TASKS = 8;
    private static final Incarnation HISTORY = new Incarnation(1);

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final CellView view = cell.view();
    private long nowNanos;

    private final UsageFacts usage = new UsageFacts(new Time() {
        @Override
        public long monotonicNanos() {
            return nowNanos;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public Cancellation after(Duration delay, Runnable task) {
            throw new UnsupportedOperationException("no timer is needed");
        }
    });

    @BeforeEach
    void twoJobsOnTwoMachines() {
        apply(new Command.FoundCell(new CellName("cella"), HISTORY, 1));
        apply(Samples.machine("m-1"));
        apply(Samples.machine("m-2"));
        for (String name : List.of("one", "other")) {
            apply(Samples.job(name, TASKS));
            int slot = view.findMachine(name.equals("one") ? "m-1" : "m-2").orElseThrow();
            apply(Samples.claimAll(view, name, view.job(name).orElseThrow(), slot));
        }
    }

    private void apply(Command command) {
        EntryHeader header = new EntryHeader(1, CellTime.ZERO, 0, HISTORY);
        cell.apply(new Entry(header, List.of(CommandCodec.encode(Samples.TEST, command))));
    }

    private JobId job(String name) {
        return view.job(name).orElseThrow().id();
    }

    private AttemptUsage report(String job, int index, int cpuMilli) {
        return AttemptUsage.newBuilder()
                .setJobVersion(job(job).version())
                .setIndex(index)
                .setAttempt(1)
                .setUsage(TaskUsage.newBuilder().setCpuMilli(cpuMilli).setMemoryMib(3))
                .build();
    }

    private long cpuMilli(String job) {
        return usage.ofJob(job(job)).map(total -> total.getUsed().getCpuMilli()).orElse(0L);
    }

    @Test
    void sums_followTheNewestReportOfEachTask() {
        usage.put(view, List.of(report("one", 0, 100), report("other", 0, 7), report("one", 1, 20)));
        usage.put(view, List.of(report("one", 0, 50)));
        assertThat(cpuMilli("one")).isEqualTo(70);
        assertThat(cpuMilli("other")).isEqualTo(7);
        UsageTotal all = usage.total();
        assertThat(all.getTasks()).isEqualTo(3);
        assertThat(all.getUsed().getCpuMilli()).isEqualTo(77);
        assertThat(all.getUsed().getMemoryMib()).isEqualTo(9);
        assertThat(all.getCpuMilliAsked()).isEqualTo(1_500);
        assertThat(usage.ofMachine(view, view.findMachine("m-2").orElseThrow()))
                .hasValueSatisfying(total -> assertThat(total.getTasks()).isEqualTo(1));
    }

    @Test
    void attemptThatEnded_leavesTheSums() {
        usage.put(view, List.of(report("one", 0, 100), report("one", 1, 20)));
        usage.ended(new TaskId(job("one"), 0, 0), 2);
        assertThat(cpuMilli("one")).isEqualTo(120);
        usage.ended(new TaskId(job("one"), 0, 0), 1);
        assertThat(cpuMilli("one")).isEqualTo(20);
    }

    @Test
    void reportOfAnAttemptThatTheCellDoesNotShow_isNotCounted() {
        AttemptUsage later = report("one", 0, 100).toBuilder().setAttempt(2).build();
        usage.put(view, List.of(later, report("one", TASKS, 100)));
        assertThat(usage.ofJob(job("one"))).isEmpty();
        assertThat(usage.total().getTasks()).isZero();
    }

    @Test
    void oldReports_leaveTheSumsWithoutAnother() {
        usage.put(view, List.of(report("one", 0, 100)));
        nowNanos = Duration.ofSeconds(30).toNanos();
        usage.put(view, List.of(report("other", 0, 7)));
        nowNanos = Duration.ofSeconds(61).toNanos();
        assertThat(usage.ofJob(job("one"))).isEmpty();
        assertThat(usage.total().getUsed().getCpuMilli()).isEqualTo(7);
    }

    /** Keeps the sums over many changes, and compares them with those over the tasks. */
    @Test
    void sums_areThoseOverTheTasks_whateverHappened() {
        Random random = new Random(7);
        for (int step = 0; step < 2_000; step++) {
            String name = random.nextBoolean() ? "one" : "other";
            int index = random.nextInt(TASKS);
            nowNanos += Duration.ofSeconds(random.nextInt(12)).toNanos();
            if (random.nextInt(4) == 0) {
                usage.ended(new TaskId(job(name), 0, index), 1);
            } else {
                usage.put(view, List.of(report(name, index, random.nextInt(100))));
            }
            long sum = 0;
            for (String each : List.of("one", "other")) {
                assertThat(cpuMilli(each)).isEqualTo(addedUp(each));
                sum += addedUp(each);
            }
            assertThat(usage.total().getUsed().getCpuMilli()).isEqualTo(sum);
        }
    }

    private long addedUp(String name) {
        long sum = 0;
        for (int index = 0; index < TASKS; index++) {
            sum += usage.find(view.task(new TaskId(job(name), 0, index)).orElseThrow())
                    .map(TaskUsage::getCpuMilli)
                    .orElse(0L);
        }
        return sum;
    }
}
