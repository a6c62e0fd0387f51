package dev.cella.simulator.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduling.BestFit;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.transactions.model.CellTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A policy that lets its jobs wait is planned again when the time has come that it named, and not before. */
class PolicyWakesTest {
    private static final long PATIENCE_MILLIS = 100_000;

    /** Places each job at its second turn, and notes when the turns were. */
    private static final class Patient implements SchedulerProvider, Scheduler<String> {
        private final Map<JobKey, List<Long>> turns = new LinkedHashMap<>();

        @Override
        public String type() {
            return "patient";
        }

        @Override
        public List<SchedulerOption> options() {
            return List.of();
        }

        @Override
        public Scheduler<?> create(SchedulerOptions options) {
            return this;
        }

        @Override
        public String start() {
            return "";
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            List<Unplaced> left = new ArrayList<>();
            List<Wake> wakes = new ArrayList<>();
            for (JobWork job : work.jobs()) {
                List<Long> before = turns.computeIfAbsent(job.key(), key -> new ArrayList<>());
                before.add(context.now().millis());
                boolean waits = before.size() == 1;
                if (waits) {
                    wakes.add(new Wake.At(job.key(), new CellTime(context.now().millis() + PATIENCE_MILLIS)));
                }
                for (PendingGroup group : job.in(cells).pendingGroups(job.id())) {
                    if (!waits) {
                        group.place(Choice.bestOf(2, new BestFit()), new SplittableRandom(context.seed()));
                    }
                    if (group.hasNext()) {
                        left.add(group.explain(machine -> Optional.of("patience")));
                    }
                }
            }
            return Plan.of(left, wakes, "");
        }
    }

    @Test
    void job_sleepsUntilTheTimeThatItsPolicyNamed() {
        Patient patient = new Patient();
        RunParameters run = RunParameters.of("replicated", ReferenceCell.A)
                .withBatch(setUp -> setUp.withSchedulers(new SchedulerChoice(1, "patient", new TreeMap<>())))
                .lasting(0.01, 1);

        new Replicated(List.of(patient, new BatchSchedulerProvider()))
                .run(run, RunWork.of(run, List.of()), RunProgress.UNHEARD);

        List<List<Long>> woken = patient.turns.values().stream()
                .filter(turns -> turns.size() > 1)
                .toList();
        assertThat(woken).isNotEmpty().allSatisfy(turns -> {
            assertThat(turns.get(1) - turns.get(0)).isBetween(PATIENCE_MILLIS, PATIENCE_MILLIS + 10_000);
            assertThat(turns).as("it has room then").hasSize(2);
        });
    }
}
