package dev.cella.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.chaos.scenario.Load;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.simulated.SimulatedRun;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One valid history, and in each case one defect in it, early, in the middle, or late: its checker must see it. */
@SuppressWarnings("UnnecessaryLambda") // the predicates are combined, which method references are not
class PlantedViolationsTest {
    private static final long SEED = 5;
    private static final Evidence VALID = valid();
    private static final List<Double> PLACES = List.of(0.2, 0.5, 0.8);

    private record Planted(String checker, String what, Evidence evidence) {
        @Override
        public String toString() {
            return checker + ": " + what;
        }
    }

    private static Evidence valid() {
        Scenario scenario =
                ScenarioFiles.shipped("swarm").orElseThrow().withLoad(new Load(50, 12, 2_000, 10, 30, 5, 5));
        return Evidence.of(new SimulatedRun(scenario, List.of(), SEED, SchedulerTypes.installed())
                .run()
                .history());
    }

    @Test
    void validHistory_holds() {
        assertThat(Checkers.check(VALID))
                .allSatisfy(verdict ->
                        assertThat(verdict.violations()).as(verdict.checker()).isEmpty());
    }

    @ParameterizedTest
    @MethodSource
    void plantedViolation_isSeenByItsChecker(Planted planted) {
        Checker checker = Checkers.all().stream()
                .filter(each -> each.number().equals(planted.checker()))
                .findFirst()
                .orElseThrow();
        assertThat(checker.check(planted.evidence())).isNotEmpty();
    }

    @Test
    void plants_areSixtyOrMore() {
        assertThat(plantedViolation_isSeenByItsChecker().count()).isGreaterThanOrEqualTo(60);
    }

    static Stream<Planted> plantedViolation_isSeenByItsChecker() {
        List<Planted> all = new ArrayList<>();
        for (double place : PLACES) {
            steps(all, place);
            answers(all, place);
            feeds(all, place);
            agents(all, place);
        }
        moments(all);
        return all.stream();
    }

    // ---- the log

    private static void steps(List<Planted> all, double place) {
        Predicate<Step> places = step -> step.tasks().stream().anyMatch(task -> task.machine() >= 0);
        step(
                all,
                "C1",
                "a task holds more than its machine has",
                place,
                places,
                step -> withTasks(
                        step,
                        task -> task.machine() < 0
                                ? task
                                : new TaskFact(
                                        task.task(),
                                        task.state(),
                                        task.reason(),
                                        task.attempt(),
                                        task.machine(),
                                        Amounts.of(1_000_000),
                                        task.placement())));
        step(
                all,
                "C2",
                "a claim was accepted and nothing was placed",
                place,
                isPlacing(),
                step -> withTasks(step, List.of()));
        step(
                all,
                "C2",
                "a task was placed that no claim names",
                place,
                isPlacing(),
                PlantedViolationsTest::withStranger);
        step(all, "C2", "half of all or nothing was accepted", place, isWhole(), PlantedViolationsTest::halved);
        step(
                all,
                "C3",
                "a transaction was refused that should have been accepted",
                place,
                isPlacing(),
                step -> withResult(
                        step,
                        new CommandResult.Decided(Outcome.refused(
                                transaction(step).id(), new CellVersion(step.version()), Reason.FENCED))));
        step(
                all,
                "C3",
                "another command was refused without a reason",
                place,
                isDone(),
                step -> withResult(
                        step, new CommandResult.Refused(new CellVersion(step.version()), Reason.UNKNOWN_JOB, "")));
        steps(
                all,
                "C5",
                "a transaction was decided twice",
                place,
                isPlacing(),
                (steps, at) -> steps.add(steps.get(at)));
        steps(
                all,
                "C10",
                "a transaction was accepted after its session ended",
                place,
                isPlacing(),
                (steps, at) -> steps.add(
                        at,
                        withCommand(
                                steps.get(at),
                                new Command.CloseSession(
                                        new SessionId(transaction(steps.get(at)).sessionVersion())),
                                new CommandResult.Done(
                                        new CellVersion(steps.get(at).version()),
                                        CommandResult.Effect.CHANGED,
                                        0,
                                        0))));
        steps(all, "C14", "a refused claim is sent again and again", place, isRefused(), (steps, at) -> {
            for (int more = 0; more < 4; more++) {
                steps.add(at + 1, again(steps.get(at)));
            }
        });
        step(
                all,
                "C22",
                "a task was preempted by nobody",
                place,
                isDone(),
                step -> withTasks(
                        step,
                        List.of(new TaskFact(
                                new TaskId(new JobId(1), 0, 0),
                                TaskState.STOPPING,
                                TaskReason.PREEMPTED,
                                1,
                                0,
                                Amounts.of(1),
                                Optional.empty()))));
        steps(all, "C23", "the winner of a conflict was never decided", place, isConflict(), (steps, at) -> {
            Step loser = steps.get(at);
            steps.clear();
            steps.add(loser);
        });
    }

    private static void step(
            List<Planted> all,
            String checker,
            String what,
            double place,
            Predicate<Step> where,
            UnaryOperator<Step> change) {
        steps(all, checker, what, place, where, (steps, at) -> steps.set(at, change.apply(steps.get(at))));
    }

    private interface Change {
        void apply(List<Step> steps, int at);
    }

    private static void steps(
            List<Planted> all, String checker, String what, double place, Predicate<Step> where, Change change) {
        List<Step> steps = new ArrayList<>(VALID.replay().steps());
        int[] found = IntStream.range(0, steps.size())
                .filter(at -> where.test(steps.get(at)))
                .toArray();
        assertThat(found).as(checker + ": " + what).isNotEmpty();
        change.apply(steps, found[(int) (place * found.length)]);
        all.add(new Planted(
                checker, what, new Evidence(VALID.history(), VALID.replay().withSteps(steps))));
    }

    private static Predicate<Step> isDone() {
        return step -> step.result() instanceof CommandResult.Done;
    }

    private static Predicate<Step> isPlacing() {
        return step -> step.result() instanceof CommandResult.Decided decided
                && decided.outcome().accepted() > 0
                && transaction(step).sessionVersion() > 0;
    }

    private static Predicate<Step> isWhole() {
        return isPlacing()
                .and(step -> transaction(step).atomicity() == Atomicity.ALL_OR_NOTHING
                        && transaction(step).claims() > 1);
    }

    private static Predicate<Step> isRefused() {
        return step -> step.result() instanceof CommandResult.Decided decided
                && transaction(step).claims() > 0
                && decided.outcome().items() > 0
                && !decided.outcome().isAccepted(0)
                && !decided.outcome().result(0).reason().equals(Optional.of(Reason.ABORTED));
    }

    private static Predicate<Step> isConflict() {
        return step -> step.result() instanceof CommandResult.Decided decided
                && decided.outcome().isConflicted();
    }

    private static Transaction transaction(Step step) {
        return ((Command.CommitTransaction) step.command().orElseThrow()).transaction();
    }

    private static Step withResult(Step step, CommandResult result) {
        return new Step(
                step.version(),
                step.atNanos(),
                step.cellTimeMillis(),
                step.command(),
                result,
                step.tasks(),
                step.machines());
    }

    private static Step withCommand(Step step, Command command, CommandResult result) {
        return new Step(
                step.version(),
                step.atNanos(),
                step.cellTimeMillis(),
                Optional.of(command),
                result,
                List.of(),
                List.of());
    }

    private static Step withTasks(Step step, UnaryOperator<TaskFact> change) {
        return withTasks(step, step.tasks().stream().map(change).toList());
    }

    private static Step withTasks(Step step, List<TaskFact> tasks) {
        return new Step(
                step.version(),
                step.atNanos(),
                step.cellTimeMillis(),
                step.command(),
                step.result(),
                tasks,
                step.machines());
    }

    private static Step withStranger(Step step) {
        List<TaskFact> tasks = new ArrayList<>(step.tasks());
        tasks.add(new TaskFact(
                new TaskId(new JobId(1), 7, 7),
                TaskState.PLACED,
                TaskReason.NONE,
                1,
                0,
                Amounts.of(1),
                Optional.of(new PlacementId(step.version(), 99))));
        return withTasks(step, tasks);
    }

    private static Step halved(Step step) {
        Outcome outcome = ((CommandResult.Decided) step.result()).outcome();
        List<ItemResult> results = new ArrayList<>(outcome.results());
        results.set(0, ItemResult.refused(results.get(0).kind(), Reason.QUOTA));
        return withResult(
                step,
                new CommandResult.Decided(new Outcome(
                        outcome.id(),
                        outcome.version(),
                        outcome.verdict(),
                        outcome.reason(),
                        outcome.syncVersion(),
                        results)));
    }

    /** The same transaction under another id, planned on what it was refused on. */
    private static Step again(Step step) {
        Transaction old = transaction(step);
        Transaction.Builder repeated = Transaction.builder(old.id(), old.scheduler())
                .basis(new CellVersion(step.version()))
                .atomicity(old.atomicity())
                .conflictRule(old.conflictRule());
        for (int claim = 0; claim < old.claims(); claim++) {
            repeated.claim(old.task(claim), old.generation(claim), old.machine(claim));
        }
        return withCommand(step, new Command.CommitTransaction(repeated.build()), step.result());
    }

    // ---- answers and reads

    private static void answers(List<Planted> all, double place) {
        history(
                all,
                "C4",
                "an acknowledged command is not in the log",
                history -> change(
                        history.answered,
                        place,
                        answered -> new History.Answered(
                                answered.number(), answered.atNanos(), done(9_000_000, CommandResult.Effect.CREATED))));
        history(
                all,
                "C4",
                "an answer is not what the log says",
                history -> change(
                        history.answered,
                        place,
                        answered -> new History.Answered(
                                answered.number(),
                                answered.atNanos(),
                                new CommandResult.Refused(
                                        answered.result().version(), Reason.UNKNOWN_SESSION, "planted"))));
        history(all, "C6", "an early command was asked for at the end", history -> {
            long number = history.answered
                    .get((int) (place * history.answered.size() / 2))
                    .number();
            history.asked.replaceAll(asked -> asked.number() == number
                    ? new History.Asked(
                            number, asked.client(), history.endedAtNanos(), new Command.PauseScheduler("planted", true))
                    : asked);
        });
        history(
                all,
                "C7",
                "a read did not show what was acknowledged",
                history -> change(
                        history.reads,
                        place,
                        read -> new History.Read(read.client(), read.askedAtNanos(), read.answeredAtNanos(), 1)));
    }

    private static CommandResult done(long version, CommandResult.Effect effect) {
        return new CommandResult.Done(new CellVersion(version), effect, 0, 0);
    }

    // ---- replicas and feeds

    private static void feeds(List<Planted> all, double place) {
        history(
                all,
                "C8",
                "a replica has another state",
                history -> change(
                        history.replicaStates,
                        place,
                        state -> new History.ReplicaState(
                                state.replica(), state.atNanos(), state.version(), state.digest() + 1)));
        history(
                all,
                "C8",
                "a private replica has another state",
                history -> change(
                        history.feedSteps,
                        place,
                        step -> new History.FeedStep(
                                step.reader(),
                                step.atNanos(),
                                step.fromVersion(),
                                step.toVersion(),
                                step.digest() + 1,
                                step.replaced())));
        history(
                all,
                "C9",
                "a reader skipped a frame",
                history -> history.feedSteps.remove((int) (place * history.feedSteps.size())));
        history(all, "C9", "a reader was given a frame twice", history -> {
            int at = (int) (place * history.feedSteps.size());
            history.feedSteps.add(at, history.feedSteps.get(at));
        });
        history(
                all,
                "C9",
                "a reader saw half of an entry",
                history -> change(
                        history.feedSteps,
                        place,
                        step -> new History.FeedStep(
                                step.reader(),
                                step.atNanos(),
                                step.fromVersion(),
                                8_000_000,
                                step.digest(),
                                step.replaced())));
    }

    // ---- agents

    private static void agents(List<Planted> all, double place) {
        history(all, "C11", "an agent runs what the cell does not show", history -> {
            List<String> machines = List.copyOf(history.running.keySet());
            history.running.put(machines.get((int) (place * machines.size())), List.of(new PlacementId(7_000_000, 0)));
        });
        history(all, "C12", "a task runs twice at once", history -> {
            History.ProcessStarted process = at(history.started, place);
            history.started.add(new History.ProcessStarted(
                    process.machine(),
                    process.atNanos(),
                    new PlacementId(7_000_000, 0),
                    process.task(),
                    2,
                    Amounts.of(1)));
        });
        history(
                all,
                "C12",
                "a machine runs more than it has",
                history -> change(
                        history.started,
                        place,
                        process -> new History.ProcessStarted(
                                process.machine(),
                                process.atNanos(),
                                process.placement(),
                                process.task(),
                                process.attempt(),
                                Amounts.of(1_000_000))));
        history(all, "C24", "a placement ran twice", history -> history.started.add(at(history.started, place)));
        history(
                all,
                "C24",
                "another attempt ran than was placed",
                history -> change(
                        history.started,
                        place,
                        process -> new History.ProcessStarted(
                                process.machine(),
                                process.atNanos(),
                                process.placement(),
                                process.task(),
                                process.attempt() + 1,
                                process.resources())));
        history(
                all,
                "C24",
                "a task reported running was never started",
                history -> history.started.remove((int) (place * history.started.size())));
    }

    // ---- what has no place in the run

    private static void moments(List<Planted> all) {
        history(all, "C8", "replicas applied different logs", history -> history.logDivergences.add("planted"));
        history(
                all,
                "C11",
                "the cell shows what no agent runs",
                history -> history.running.replaceAll((machine, placements) -> List.of()));
        history(
                all,
                "C13",
                "no leader after the core was healed",
                history -> history.leaderless.add(
                        new History.Leaderless(history.healedAtNanos().orElseThrow(), history.endedAtNanos())));
        history(
                all,
                "C13",
                "a transaction was never answered",
                history -> history.asked.add(new History.Asked(
                        9_000_000,
                        "scheduler-planted",
                        history.healedAtNanos().orElseThrow() + 1,
                        new Command.CommitTransaction(transaction(VALID.replay().steps().stream()
                                .filter(isPlacing())
                                .map(PlantedViolationsTest::renamed)
                                .findFirst()
                                .orElseThrow())))));
        history(
                all,
                "C15",
                "overload did not say when to come again",
                history -> history.overloads.add(new History.Overload("planted", 1, false, 0, 10)));
        history(
                all,
                "C15",
                "a queue was beyond its bound",
                history -> history.overloads.add(new History.Overload("planted", 1, true, Long.MAX_VALUE / 2, 10)));
        history(
                all,
                "C16",
                "the log gives other bytes the second time",
                history -> history.log.remove(history.log.size() - 1));
        history(all, "C21", "a pool had nothing", history -> {
            history.contendedWeights.put("default", 1);
            history.contendedWeights.put("nobody", 1);
        });
        cut(all, "C17", "a job waits at the end and there is room", history -> {});
        cut(all, "C19", "a job waits while there is room", history -> {
            history.healed(at(history.log, 1.0).atNanos());
            history.ended(history.healedAtNanos().orElseThrow() + 600_000_000_000L);
        });
    }

    private static Step renamed(Step step) {
        Transaction old = transaction(step);
        Transaction other = Transaction.builder(new TransactionId("planted"), old.scheduler())
                .claim(old.task(0), old.generation(0), old.machine(0))
                .build();
        return withCommand(step, new Command.CommitTransaction(other), step.result());
    }

    /** The log ends right after a job was submitted. */
    private static void cut(List<Planted> all, String checker, String what, Consumer<History> change) {
        History history = copy(VALID.history());
        long version = 0;
        int entries = 0;
        for (Step step : VALID.replay().steps()) {
            boolean isPlain = step.atNanos() > 5_000_000_000L
                    && step.command().orElse(null) instanceof Command.SubmitJob submit
                    && step.result() instanceof CommandResult.Done
                    && submit.header().groups().size() == 1
                    && !Placeable.needsMoreAtOnce(submit.header());
            if (isPlain) {
                version = step.version();
                break;
            }
        }
        while (entries < history.log.size()
                && replayed(history.log.subList(0, entries)).end().version().number() < version) {
            entries++;
        }
        history.log.subList(entries, history.log.size()).clear();
        change.accept(history);
        all.add(new Planted(checker, what, Evidence.of(history)));
    }

    private static Replay replayed(List<History.LogEntry> entries) {
        History part = new History(VALID.history().limits());
        part.log.addAll(entries);
        return Replay.of(part);
    }

    private static void history(List<Planted> all, String checker, String what, Consumer<History> change) {
        History history = copy(VALID.history());
        change.accept(history);
        all.add(new Planted(checker, what, new Evidence(history, VALID.replay())));
    }

    private static <T> T at(List<T> list, double place) {
        return list.get((int) Math.min(list.size() - 1.0, place * list.size()));
    }

    private static <T> void change(List<T> list, double place, Function<T, T> change) {
        int at = (int) (place * list.size());
        list.set(at, change.apply(list.get(at)));
    }

    private static History copy(History from) {
        History copy = new History(from.limits());
        copy.asked.addAll(from.asked);
        copy.answered.addAll(from.answered);
        copy.reads.addAll(from.reads);
        copy.log.addAll(from.log);
        copy.replicaStates.addAll(from.replicaStates);
        copy.feedSteps.addAll(from.feedSteps);
        copy.started.addAll(from.started);
        copy.ended.addAll(from.ended);
        copy.leaderless.addAll(from.leaderless);
        copy.broken.addAll(from.broken);
        copy.untrusted.addAll(from.untrusted);
        copy.capacities.putAll(from.capacities);
        copy.running.putAll(from.running);
        copy.decisionMillis.putAll(from.decisionMillis);
        from.healedAtNanos().ifPresent(copy::healed);
        copy.ended(from.endedAtNanos());
        return copy;
    }
}
