package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What an author says in a plan, and asks of a group. */
class SeamTest {
    private static final CellTime NOW = new CellTime(1_000);
    private static final CellTime LATER = new CellTime(60_000);

    private final SampleCell cell = SampleCell.of(1, 1_000, 8_192);
    private final JobRow job = cell.view()
            .job(cell.submit(SampleCell.batch("large", 1, 2_000, 64)))
            .orElseThrow();

    /** A plan without a word about wakes. */
    private static Plan<String> explained(JobWork work, PlanningView view) {
        List<Unplaced> left = new ArrayList<>();
        view.pendingGroups(work.id()).forEach(group -> left.add(group.explain()));
        return Plan.of(left, List.of(), "");
    }

    @Test
    void wakesBesides_comeToThoseByDefault() {
        List<Wake> byDefault = wakes(SeamTest::explained);
        assertThat(byDefault).singleElement().isInstanceOf(Wake.Room.class);

        Wake at = new Wake.At(JobWork.first(job, NOW).key(), LATER);
        List<Wake> more = new ArrayList<>(byDefault);
        more.add(at);
        assertThat(wakes((work, view) -> explained(work, view).wakingAlsoOn(List.of(at))))
                .containsExactlyElementsOf(more);
    }

    @Test
    void wakes_takeThePlaceOfThoseByDefault() {
        Wake at = new Wake.At(JobWork.first(job, NOW).key(), LATER);
        assertThat(wakes((work, view) -> Plan.of(explained(work, view).unplaced(), List.of(at), "")))
                .containsExactly(at);
    }

    @Test
    void wakesBesides_keepTheRestOfThePlan() {
        Plan<String> plan = onView(view -> explained(JobWork.first(job, NOW), view));
        Plan<String> more =
                plan.wakingAlsoOn(List.of(new Wake.At(JobWork.first(job, NOW).key(), LATER)));
        assertThat(more).usingRecursiveComparison().ignoringFields("besides").isEqualTo(plan);
    }

    @Test
    void group_saysWhatItAsksOfEachDimensionByName() {
        onView(view -> {
            PendingGroup group = view.pendingGroups(job.id()).get(0);
            assertThat(group.asks("cpuMilli")).isEqualTo(2_000);
            assertThat(group.asks("memoryMib")).isEqualTo(64);
            assertThat(group.asks("unheard")).as("no such dimension").isZero();
            return group.left();
        });
    }

    /** So that a plan does not overwrite what a person sets in the meantime. */
    @Test
    void scale_expectsTheCountThatThePlannerSaw() {
        int count = cell.view().job(job.id()).orElseThrow().group(0).header().count();
        List<Scale> scales = planned((work, view) -> {
                    view.scale(work.id(), 0, count + 2);
                    return explained(work, view);
                })
                .proposals()
                .get(0)
                .transaction()
                .scales();
        assertThat(scales).containsExactly(new Scale(job.id(), 0, job.generation(), count + 2, OptionalInt.of(count)));
    }

    private List<Wake> wakes(BiFunction<JobWork, PlanningView, Plan<String>> planner) {
        return planned(planner).wakes();
    }

    private Plan<String> planned(BiFunction<JobWork, PlanningView, Plan<String>> planner) {
        Scheduler<String> scheduler = new Scheduler<>() {
            @Override
            public String start() {
                return "";
            }

            @Override
            public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
                return planner.apply(work.jobs().get(0), cells.get(0));
            }
        };
        Work work = new Work(List.of(JobWork.first(job, NOW)), List.of());
        PlanContext<String> context = new PlanContext<>(NOW, 1, scheduler.start(), Observations.NONE);
        return onView(view -> Planning.plan(scheduler, List.of(view), work, context));
    }

    private <R> R onView(Function<PlanningView, R> use) {
        TransactionStamp stamp = new TransactionStamp(SampleCell.SCHEDULER, new SessionId(1), 1, 100);
        Surroundings surroundings = Surroundings.of(cell.view(), each -> Placement.ANYWHERE);
        try (PlanningView view =
                new PlanningView(cell.view(), cell.view().draft(), new TaskSet(), stamp, surroundings)) {
            return use.apply(view);
        }
    }
}
