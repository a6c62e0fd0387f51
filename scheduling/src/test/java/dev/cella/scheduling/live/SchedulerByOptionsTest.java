package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import dev.cella.client.proto.Job;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlannedCell;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Preempting;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A job can set the options of its scheduler's type for itself. */
class SchedulerByOptionsTest {
    /** Places only on the machine with its number. */
    private static final class NumberedProvider implements SchedulerProvider {
        @Override
        public String type() {
            return "numbered";
        }

        @Override
        public List<SchedulerOption> options() {
            return List.of(new SchedulerOption("machine", "0", "the slot of the machine"));
        }

        @Override
        public Scheduler<?> create(SchedulerOptions options) {
            int machine = options.number("machine", 0, 9);
            JobPlanner planner = (work, cell, random) -> {
                PendingGroup group = cell.pendingGroups(work.id()).get(0);
                group.claimNext(machine);
                return List.of();
            };
            return planner.scheduler();
        }
    }

    /** Places nothing, and remembers the jobs of each call. */
    private static final class RememberingProvider implements SchedulerProvider {
        @Override
        public String type() {
            return "remembering";
        }

        @Override
        public List<SchedulerOption> options() {
            return List.of(new SchedulerOption("colour", "none", "no effect"), Preempting.OPTION);
        }

        @Override
        public Scheduler<?> create(SchedulerOptions options) {
            return new Scheduler<List<String>>() {
                @Override
                public List<String> start() {
                    return List.of();
                }

                @Override
                public Plan<List<String>> plan(List<PlanningView> cells, Work work, PlanContext<List<String>> context) {
                    List<String> calls = new ArrayList<>(context.memory());
                    calls.add(work.jobs().stream().map(job -> job.job().name()).collect(Collectors.joining(" ")));
                    return Plan.of(List.of(), List.of(), List.copyOf(calls));
                }
            };
        }
    }

    private final PlannedCell cell = new PlannedCell();

    SchedulerByOptionsTest() {
        cell.machines(4, 4_000);
    }

    @Test
    void jobThatSaysNothing_isPlannedAsTheSchedulerWasSet() {
        Scheduler<?> scheduler = SchedulerByOptions.of(new NumberedProvider(), Map.of("machine", "2"));

        assertThat(machine(plan(scheduler, job("plain", "{}")))).isEqualTo(2);
    }

    @Test
    void jobThatSetsAnOption_isPlannedByIt_andNoOtherJobIs() {
        Scheduler<?> scheduler = SchedulerByOptions.of(new NumberedProvider(), Map.of("machine", "2"));

        assertThat(machine(plan(scheduler, job("text", "{\"machine\": \"3\"}"))))
                .isEqualTo(3);
        assertThat(machine(plan(scheduler, job("number", "{\"machine\": 1}")))).isEqualTo(1);
        assertThat(machine(plan(scheduler, job("plain", "{}")))).isEqualTo(2);
    }

    /** A policy such as fair sharing shares only among the jobs of one call. */
    @Test
    void jobsWithTheSameOptions_arePlannedTogether_andThoseWithoutFirst() {
        Scheduler<?> scheduler = SchedulerByOptions.of(new RememberingProvider(), Map.of());
        Plan<?> plan = plan(
                scheduler,
                job("red-1", "{\"colour\": \"red\"}"),
                job("plain-1", "{}"),
                job("wrong", "{\"color\": \"red\"}"),
                job("plain-2", "{}"),
                job("red-2", "{\"colour\": \"red\"}"));

        assertThat(plan.memory()).isEqualTo(List.of("plain-1 plain-2", "red-1 red-2"));
        assertThat(plan.unplaced())
                .map(Unplaced::sentence)
                .containsExactly("options.color: no such option of scheduler type remembering, did you mean colour?");
    }

    @Test
    void jobThatWantsToEvict_isRefusedWhereTheSchedulerEvictsNobody() {
        JobRow evicting = job("evicting", "{\"preemption\": \"lower\"}");
        JobRow never = job("never", "{\"preemption\": \"never\"}");
        Scheduler<?> scheduler = SchedulerByOptions.of(new RememberingProvider(), Map.of("preemption", "never"));

        assertThat(plan(scheduler, evicting).unplaced())
                .map(Unplaced::sentence)
                .containsExactly("options.preemption: the scheduler is set to preemption=never for all jobs");
        assertThat(plan(scheduler, never).unplaced()).isEmpty();
        assertThat(plan(new RememberingProvider(), evicting).unplaced()).isEmpty();
    }

    @Test
    void optionThatDoesNotExist_leavesTheJobPendingWithTheNearestName() {
        Plan<?> plan = plan(new NumberedProvider(), job("wrong", "{\"machin\": 1}"));

        assertThat(plan.proposals()).isEmpty();
        assertThat(plan.unplaced())
                .map(Unplaced::sentence)
                .containsExactly("options.machin: no such option of scheduler type numbered, did you mean machine?");
        assertThat(plan.unplaced().get(0).neverPlaceable()).isFalse();
    }

    @Test
    void valueThatAnOptionCannotHave_leavesTheJobPending() {
        assertThat(sentence("{\"machine\": 10}"))
                .isEqualTo("options: option machine is a whole number from 0 to 9, not 10");
        assertThat(sentence("{\"machine\": [1, 2]}"))
                .isEqualTo("options: option machine is a whole number from 0 to 9, not 1,2");
        assertThat(sentence("{\"machine\": {\"a\": true}}"))
                .isEqualTo("options: option machine is a whole number from 0 to 9, not {\"a\":true}");
        assertThat(sentence("{\"colour\": \"red\"}"))
                .isEqualTo("options.colour: no such option of scheduler type numbered, it has machine");
    }

    private String sentence(String options) {
        Plan<?> plan = plan(new NumberedProvider(), job("job-" + options.hashCode() % 1_000_000, options));
        return plan.unplaced().get(0).sentence();
    }

    /** The gang could not use them: its job must be changed first. */
    @Test
    void gangWithAnOptionThatDoesNotExist_getsNoMachinesHeld() {
        GroupHeader gang = new GroupHeader(
                "main",
                2,
                Amounts.of(1_000),
                Restart.BATCH,
                0,
                0,
                OnLost.REPLACE,
                Optional.of(new Gang(2, 0, Gang.Restarts.ALL)));
        Plan<?> plan = plan(new NumberedProvider(), job("wrong", "{\"machin\": 1}", gang));

        assertThat(plan.unplaced()).hasSize(1);
        assertThat(plan.proposals()).isEmpty();
        assertThat(plan.wakes()).hasOnlyElementsOfType(Wake.On.class);
    }

    private int machine(Plan<?> plan) {
        assertThat(plan.proposals()).hasSize(1);
        return plan.proposals().get(0).transaction().machine(0);
    }

    private Plan<?> plan(SchedulerProvider provider, JobRow job) {
        return plan(SchedulerByOptions.of(provider, Map.of()), job);
    }

    private <M> Plan<M> plan(Scheduler<M> scheduler, JobRow... jobs) {
        List<JobWork> work = Stream.of(jobs)
                .map(job -> JobWork.first(job, new CellTime(1_000)))
                .toList();
        PlanContext<M> context = new PlanContext<>(new CellTime(1_000), 7, scheduler.start(), Observations.NONE);
        TransactionStamp stamp = new TransactionStamp("s", new SessionId(1), 1, 10);
        try (PlanningView view =
                new PlanningView(cell.view(), cell.view().draft(), new TaskSet(), stamp, cell.surroundings())) {
            return Planning.plan(scheduler, List.of(view), new Work(work, List.of()), context);
        }
    }

    private JobRow job(String name, String options) {
        return job(name, options, new GroupHeader("main", 1, Amounts.of(1_000), Restart.BATCH));
    }

    private JobRow job(String name, String options, GroupHeader group) {
        JobHeader header = new JobHeader(
                name, JobType.BATCH, "s", "default", 50, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, List.of(group));
        Specification specification = Specification.of(specified(options).toByteArray());
        cell.apply(new Command.SubmitJob(header, specification, Command.SubmitMode.CREATE));
        return cell.view().job(name).orElseThrow();
    }

    private static Job specified(String options) {
        Job.Builder job = Job.newBuilder();
        try {
            JsonFormat.parser().merge(options, job.getOptionsBuilder());
        } catch (com.google.protobuf.InvalidProtocolBufferException wrong) {
            throw new IllegalArgumentException(options, wrong);
        }
        return job.build();
    }
}
