package dev.cella.agent.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.AgentEvent.Answer;
import dev.cella.agent.reconciler.StepTable.Has;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The reconciler takes the steps of {@link StepTable}, by seed; a failure names the seed that makes it again. */
class StepTableTest {
    private static final int WORLDS = 1_000;
    private static final int STEPS = 60;
    private static final long NOW = 1_000;
    private static final JobId JOB = new JobId(7);
    private static final GroupRun RUN = new GroupRun("job", "main", List.of("true"), Map.of(), Optional.empty(), 300);
    private static final JobRuns RUNS = new JobRuns(JOB, 1, List.of(RUN));

    @Test
    void anyViewsAndEvents_takeTheStepsOfTheTable() {
        Set<String> met = new HashSet<>();
        long first = new Random().nextLong();
        for (long seed = first; seed < first + WORLDS; seed++) {
            try {
                new World(seed, met).run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
        // All but what is neither shown nor there, and a stop that the cell takes back: PLACED TOLD and RUNNING TOLD.
        assertThat(met).hasSize(4 * Has.values().length - 3);
    }

    /** One machine, and the cell's view of it: only goes on from PLACED to RUNNING, STOPPING and gone. */
    private static final class World {
        private final SplittableRandom random;
        private final Set<String> met;
        private final Reconciler reconciler = new Reconciler(ReconcilerOptions.DEFAULT);
        private final StepTable table = new StepTable();
        private final Map<PlacementId, ShownAttempt> shown = new LinkedHashMap<>();
        private final List<PlacementId> all = new ArrayList<>();
        private final Set<PlacementId> told = new HashSet<>();
        private final Set<PlacementId> mayStart = new HashSet<>();

        World(long seed, Set<String> met) {
            random = new SplittableRandom(seed);
            this.met = met;
        }

        void run() {
            adopt();
            on(new AgentEvent.Begun());
            on(new AgentEvent.Registered(60_000));
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> view();
                    case 1 -> agree(new AgentEvent.SpecificationFound(RUNS), table.found());
                    default -> processMoves();
                }
            }
        }

        private Assignment assignment(PlacementId placement) {
            return new Assignment(placement, new TaskId(JOB, 0, (int) placement.version()), 1, 1);
        }

        private PlacementId next() {
            PlacementId placement = new PlacementId(10 + all.size(), 0);
            all.add(placement);
            return placement;
        }

        private void adopt() {
            List<Adopted> adopted = new ArrayList<>();
            for (int count = random.nextInt(4); count > 0; count--) {
                PlacementId placement = next();
                boolean hasEnded = random.nextBoolean();
                table.adopted(placement, hasEnded ? "FINISHED 0 NONE" : "");
                Optional<TaskEnd> end = hasEnded ? Optional.of(TaskEnd.exited(0)) : Optional.empty();
                adopted.add(new Adopted(new Launch(assignment(placement), RUN), 0, end));
                show(placement);
            }
            on(new AgentEvent.Adopts(adopted));
        }

        /** Any state may be the first that this agent sees, and also none. */
        private void show(PlacementId placement) {
            TaskState state = List.copyOf(EnumSet.of(TaskState.PLACED, TaskState.RUNNING, TaskState.STOPPING))
                    .get(random.nextInt(3));
            if (random.nextInt(5) > 0) {
                shown.put(placement, shown(placement, state));
            }
        }

        private ShownAttempt shown(PlacementId placement, TaskState state) {
            TaskReason asked = random.nextBoolean() ? TaskReason.KILLED : TaskReason.PREEMPTED;
            TaskReason reason = state == TaskState.STOPPING ? asked : TaskReason.NONE;
            return new ShownAttempt(assignment(placement), state, reason, false);
        }

        private void view() {
            for (ShownAttempt before : List.copyOf(shown.values())) {
                PlacementId placement = before.assignment().placement();
                TaskState state = before.state();
                switch (random.nextInt(6)) {
                    case 0 -> shown.remove(placement);
                    case 1 -> {
                        if (state != TaskState.STOPPING) {
                            shown.put(placement, shown(placement, TaskState.STOPPING));
                        }
                    }
                    case 2 -> {
                        if (state == TaskState.PLACED) {
                            shown.put(placement, shown(placement, TaskState.RUNNING));
                        }
                    }
                    default -> {}
                }
            }
            if (random.nextBoolean()) {
                show(next());
            }
            for (PlacementId placement : all) {
                Has has = table.has(placement);
                ShownAttempt task = shown.get(placement);
                if (has != Has.NOTHING || task != null) {
                    met.add((task == null ? "GONE" : task.state().name()) + " " + has);
                }
            }
            List<ShownAttempt> now = List.copyOf(shown.values());
            agree(new AgentEvent.ViewAdvanced(now), table.view(now));
        }

        private void processMoves() {
            if (all.isEmpty()) {
                return;
            }
            PlacementId placement = all.get(random.nextInt(all.size()));
            switch (table.has(placement)) {
                case STARTING, TOLD, RUNNING, ADOPTED -> move(placement);
                default -> {}
            }
        }

        private void move(PlacementId placement) {
            if (mayStart.remove(placement)) {
                if (random.nextInt(4) > 0) {
                    agree(new AgentEvent.Started(placement), table.started(placement));
                } else {
                    TaskEnd never = TaskEnd.neverStarted(TaskReason.NOT_STARTED);
                    agree(new AgentEvent.Ended(placement, never), table.ended(placement, "FAILED - NOT_STARTED"));
                }
            } else if (told.contains(placement) && random.nextBoolean()) {
                agree(new AgentEvent.Ended(placement, TaskEnd.stopped(143)), table.endedTold(placement, 143));
            } else if (random.nextBoolean()) {
                agree(new AgentEvent.Ended(placement, TaskEnd.exited(0)), table.ended(placement, "FINISHED 0 NONE"));
            } else {
                agree(new AgentEvent.Ended(placement, TaskEnd.exited(7)), table.ended(placement, "FAILED 7 NONE"));
            }
        }

        private void agree(AgentEvent event, List<String> expected) {
            // The order of the attempts is free, the order of an attempt's own steps is not.
            assertThat(byAttempt(on(event))).as("%s", event).isEqualTo(byAttempt(expected));
        }

        private static List<String> byAttempt(List<String> steps) {
            return steps.stream()
                    .sorted(Comparator.comparing(step -> (step + " ").split(" ", -1)[1]))
                    .toList();
        }

        /** Each report is accepted at once. */
        private List<String> on(AgentEvent event) {
            Steps steps = new Steps();
            reconciler.on(event, NOW).forEach(action -> action.perform(steps));
            return steps.words;
        }

        /** Notes each action in words. */
        private final class Steps implements AgentAction.Driver {
            private final List<String> words = new ArrayList<>();

            @Override
            public void register(AgentAction.Register action) {
                words.add("register");
            }

            @Override
            public void fetchSpecification(AgentAction.FetchSpecification action) {
                words.add("fetch");
            }

            @Override
            public void start(AgentAction.Start action) {
                PlacementId started = action.launch().assignment().placement();
                mayStart.add(started);
                words.add("start " + started);
            }

            @Override
            public void upgrade(AgentAction.Upgrade action) {
                words.add("upgrade " + action.placement());
            }

            @Override
            public void terminate(AgentAction.Terminate action) {
                told.add(action.placement());
                words.add("tell " + action.placement());
            }

            @Override
            public void kill(AgentAction.Kill action) {
                words.add("kill " + action.placement());
            }

            @Override
            public void forget(AgentAction.Forget action) {
                words.add("forget " + action.placement());
            }

            @Override
            public void send(AgentAction.Send action) {
                words.add(World.words(action.report()));
                words.addAll(on(new AgentEvent.ReportAnswered(action.report(), Answer.ACCEPTED)));
            }
        }

        private static String words(Report report) {
            String exitCode = report.exitCode().isPresent()
                    ? Integer.toString(report.exitCode().getAsInt())
                    : "-";
            return StepTable.report(
                    report.assignment().placement(), report.state() + " " + exitCode + " " + report.reason());
        }
    }
}
