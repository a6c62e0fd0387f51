package dev.cella.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay;
import dev.cella.chaos.history.Replay.MachineFact;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.chaos.history.UserCall;
import dev.cella.chaos.scenario.Load;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.scenario.SchedulerSpec;
import dev.cella.chaos.simulated.SimulatedRun;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One valid history, and in each case one defect in it, early, in the middle, or late: its checker must see it. */
@SuppressWarnings("UnnecessaryLambda") // the predicates are combined, which method references are not
class PlantedViolationsTest {
    private static final long SEED = 5;
    private static final Evidence VALID = valid();
    private static final Evidence FAIR = contended("fair");
    private static final List<Double> PLACES = List.of(0.2, 0.5, 0.8);
    private static final TaskId PLANTED_TASK = new TaskId(new JobId(1), 0, 0);
    private static final int PASSED_OVER = 15;
    private static final int OVERTAKEN = 40;

    private record Planted(String checker, String what, Evidence evidence) {
        @Override
        public String toString() {
            return checker + ": " + what;
        }
    }

    private static Evidence valid() {
        Scenario scenario =
                ScenarioFiles.shipped("swarm").orElseThrow().withLoad(new Load(50, 12, 2_000, 10, 30, 5, 5, 0));
        return Evidence.of(new SimulatedRun(scenario, List.of(), SEED, SchedulerTypes.installed())
                .run()
                .history());
    }

    /** The scenario of pools in contention, without its faults, and with one scheduler of that type. */
    private static Evidence contended(String type) {
        Scenario scenario = ScenarioFiles.shipped("fair-pools")
                .orElseThrow()
                .withSchedulers(List.of(new SchedulerSpec(type, type, Map.of(), 5)));
        return Evidence.of(new SimulatedRun(scenario, List.of(), SEED, SchedulerTypes.installed())
                .run()
                .history());
    }

    @Test
    void poolsInContention_areJudged_andHold() {
        assertThat(checker("C21").hasCases(FAIR)).isTrue();
        assertThat(checker("C21").check(FAIR)).isEmpty();
        assertThat(checker("C21").hasCases(VALID)).isFalse();
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
        assertThat(checker(planted.checker()).check(planted.evidence())).isNotEmpty();
    }

    private static Checker checker(String number) {
        return Checkers.all().stream()
                .filter(each -> each.number().equals(number))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void kindsOfPlants_areSixtyOrMore_andEachCheckerHasOne() {
        Set<String> kinds =
                plantedViolation_isSeenByItsChecker().map(Planted::toString).collect(Collectors.toSet());
        assertThat(kinds).hasSizeGreaterThanOrEqualTo(60);
        assertThat(Checkers.all())
                .allSatisfy(checker -> assertThat(kinds).anyMatch(kind -> kind.startsWith(checker.number() + ":")));
    }

    /** A slow scheduler needs a turn of each job after room has appeared. */
    @Test
    void jobThatHasWaitedForLessThanATurn_isNoViolation() {
        History history = copy(VALID.history());
        cutAfter(history, firstPlainJob(job -> true));
        long submitted = at(history.log, 1.0).atNanos();
        history.ended(submitted + 1_000_000_000);
        assertThat(checker("C17").check(Evidence.of(history))).isEmpty();
        history.ended(submitted + 10_000_000_000L);
        assertThat(checker("C17").check(Evidence.of(history))).isNotEmpty();
    }

    /** C18 compares two runs. Here the one with faults ends right after a job came that the other one finished. */
    @Test
    void jobThatOnlyTheTwinFinished_isSeen() {
        History history = copy(VALID.history());
        cutAfter(
                history,
                firstPlainJob(job -> VALID.replay()
                        .end()
                        .job(job.name())
                        .filter(row -> row.state() == JobState.FINISHED)
                        .isPresent()));
        assertThat(new Twin(Evidence.of(history), VALID).verdict().violations()).isNotEmpty();
        assertThat(new Twin(VALID, VALID).verdict().violations()).isEmpty();
    }

    @Test
    void historyOfNothing_isNoCase_andNoViolation() {
        Evidence nothing = Evidence.of(new History(VALID.history().limits()));
        assertThat(Checkers.check(nothing)).allSatisfy(verdict -> {
            assertThat(verdict.judged()).as(verdict.checker()).isFalse();
            assertThat(verdict.violations()).as(verdict.checker()).isEmpty();
        });
        assertThat(new Twin(nothing, nothing).verdict().judged()).isFalse();
        assertThat(new Twin(VALID, VALID).verdict().judged()).isTrue();
    }

    @Test
    void validHistory_isACaseOfAll_withoutOverload_poolsAndJobsThatWaitAfterTheHealing() {
        assertThat(Checkers.check(VALID).stream()
                        .filter(verdict -> !verdict.judged())
                        .map(Checkers.Verdict::checker))
                .containsExactly("C15", "C19", "C21");
    }

    @Test
    void catalogue_hasTheNumbersThatScenariosMayName() {
        assertThat(Checkers.catalogue().stream().map(Checkers.Named::number)).isEqualTo(ScenarioFiles.CHECKERS);
    }

    /** A close that was refused ends nothing. */
    @Test
    void sessionWhoseCloseWasRefused_isOpen() {
        List<Step> steps = new ArrayList<>(VALID.replay().steps());
        int placing = IntStream.range(0, steps.size())
                .filter(at -> isPlacing().test(steps.get(at)))
                .findFirst()
                .orElseThrow();
        Step step = steps.get(placing);
        steps.add(
                placing,
                withCommand(
                        step,
                        new Command.CloseSession(new SessionId(transaction(step).sessionVersion())),
                        new CommandResult.Refused(new CellVersion(step.version()), Reason.NOT_ALLOWED, "")));
        assertThat(checker("C10")
                        .check(new Evidence(VALID.history(), VALID.replay().withSteps(steps))))
                .isEmpty();
    }

    @Test
    void victimOfAClaim_handsItsAmountsOver() {
        assertThat(checker("C1").check(placedOnAVictim(OptionalInt.of(0)))).isEmpty();
    }

    /** A machine is full, its task is evicted, and before it ends another one is placed there. */
    private static Evidence placedOnAVictim(OptionalInt forClaim) {
        TaskId other = new TaskId(new JobId(2), 0, 0);
        Transaction.Builder evicting =
                Transaction.builder(new TransactionId("planted"), "planted").claim(other, 1, 0);
        Transaction eviction =
                evicting.evict(new Eviction(PLANTED_TASK, 1, forClaim)).build();
        Amounts all = Amounts.of(4_000);
        Step empty = VALID.replay().steps().get(0);
        Step full = withMachines(withTasks(empty, List.of(onMachine(PLANTED_TASK, TaskState.RUNNING, all))), all);
        Step evicted = withTasks(
                withCommand(full, new Command.CommitTransaction(eviction), empty.result()),
                List.of(onMachine(PLANTED_TASK, TaskState.STOPPING, all), onMachine(other, TaskState.PLACED, all)));
        return new Evidence(VALID.history(), VALID.replay().withSteps(List.of(full, evicted)));
    }

    private static TaskFact onMachine(TaskId task, TaskState state, Amounts amounts) {
        TaskReason reason = state == TaskState.STOPPING ? TaskReason.PREEMPTED : TaskReason.NONE;
        return new TaskFact(task, state, reason, 1, 0, amounts, Optional.empty());
    }

    /** An agent has to hear of it first, and its report has to arrive. */
    @ParameterizedTest
    @EnumSource(names = {"PLACED", "STOPPING"})
    void taskThatHasWaitedForItsAgentForAWhile_isNoViolation(TaskState state) {
        assertThat(checker("C11").check(stuckIn(state, 15))).isEmpty();
        assertThat(checker("C11").check(stuckIn(state, 25)))
                .isNotEmpty()
                .allSatisfy(found -> assertThat(found.what()).contains(" is " + state + " on "));
    }

    /** The log ends with the first task in that state, and the run that many seconds later. Nobody knows what agents run. */
    private static Evidence stuckIn(TaskState state, int seconds) {
        History history = copy(VALID.history());
        cutAfter(
                history,
                VALID.replay().steps().stream()
                        .filter(step -> step.tasks().stream().anyMatch(task -> task.state() == state))
                        .findFirst()
                        .orElseThrow()
                        .version());
        history.running.clear();
        history.ended(at(history.log, 1.0).atNanos() + seconds * 1_000_000_000L);
        return Evidence.of(history);
    }

    /** As the processes world has it: users know names, and not commands. */
    private static History byUsers() {
        History history = copy(VALID.history());
        history.asked.clear();
        history.answered.clear();
        for (Step step : VALID.replay().steps()) {
            if (step.command().orElse(null) instanceof Command.SubmitJob submit
                    && step.result() instanceof CommandResult.Done done) {
                String job = submit.header().name();
                UserCall.Done told = new UserCall.Done(step.atNanos() + 1, job, step.version(), done.generation());
                history.userCalls.add(new UserCall(UserCall.Order.SUBMIT, job, step.atNanos() - 1, told));
            } else if (step.command().orElse(null) instanceof Command.StopJob stop) {
                String job = VALID.replay().end().job(stop.job()).orElseThrow().name();
                UserCall.Done told = new UserCall.Done(step.atNanos() + 1, job, step.version(), 0);
                history.userCalls.add(new UserCall(UserCall.Order.STOP, job, step.atNanos() - 1, told));
            }
        }
        return history;
    }

    @Test
    void historyOfUsers_holds() {
        assertThat(Checkers.check(new Evidence(byUsers(), VALID.replay())))
                .allSatisfy(verdict ->
                        assertThat(verdict.violations()).as(verdict.checker()).isEmpty());
    }

    /** Its earlier tries were not answered: the cell may have done one of them. */
    @Test
    void repeatedSubmissionThatWasRefused_isNoViolation() {
        History history = byUsers();
        history.userCalls.replaceAll(call -> call.order() == UserCall.Order.SUBMIT
                ? answeredAs(call, new UserCall.Refused(call.askedAtNanos() + 1, false, false, "planted"))
                : call);
        assertThat(checker("C4").check(new Evidence(history, VALID.replay()))).isEmpty();
    }

    /** An agent that lies reports tasks as running that no journal has. */
    @Test
    void machineWithoutJournal_failsC24_unlessItIsUntrusted() {
        History history = copy(VALID.history());
        String machine = at(history.started, 0.5).machine();
        history.started.removeIf(process -> process.machine().equals(machine));
        Checker journals = checker("C24");
        assertThat(journals.check(new Evidence(history, VALID.replay()))).isNotEmpty();
        history.untrusted.add(machine);
        assertThat(journals.check(new Evidence(history, VALID.replay()))).isEmpty();
    }

    static Stream<Planted> plantedViolation_isSeenByItsChecker() {
        List<Planted> all = new ArrayList<>();
        for (double place : PLACES) {
            steps(all, place);
            answers(all, place);
            feeds(all, place);
            agents(all, place);
            users(all, place);
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
                "C1",
                "a machine has less than its tasks hold",
                place,
                isPlacing(),
                step -> withMachines(step, Amounts.NONE));
        step(
                all,
                "C2",
                "a claim was placed on another machine than it was told",
                place,
                isPlacing(),
                step -> withTasks(step, PlantedViolationsTest::onNextMachine));
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
        step(
                all,
                "C3",
                "a transaction was refused for another reason",
                place,
                isRefused(),
                step -> withResult(
                        step,
                        new CommandResult.Decided(Outcome.refused(
                                transaction(step).id(), new CellVersion(step.version()), Reason.OTHER_INCARNATION))));
        step(
                all,
                "C3",
                "a command that made something says that it did nothing",
                place,
                isCreating(),
                step -> withResult(step, done(step.version(), CommandResult.Effect.UNCHANGED)));
        step(
                all,
                "C3",
                "a command took another version",
                place,
                isDone(),
                step -> withResult(step, done(step.version() + 1, ((CommandResult.Done) step.result()).effect())));
        step(
                all,
                "C3",
                "a command of the log cannot be read",
                place,
                isDone(),
                step -> new Step(
                        step.version(),
                        step.atNanos(),
                        step.cellTimeMillis(),
                        Optional.empty(),
                        step.result(),
                        step.tasks(),
                        step.machines()));
        step(
                all,
                "C5",
                "a repetition was recognised, and nothing was decided before it",
                place,
                isPlacing(),
                step -> withResult(step, repeated(step, step.version())));
        steps(
                all,
                "C5",
                "a repetition names another decision",
                place,
                isPlacing(),
                (steps, at) -> steps.add(
                        at + 1,
                        withResult(
                                steps.get(at),
                                repeated(steps.get(at), steps.get(at).version() + 1))));
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
        steps(
                all,
                "C10",
                "a transaction was accepted after a newer session of its instance",
                place,
                isPlacing(),
                (steps, at) -> steps.add(
                        at,
                        withCommand(
                                steps.get(at),
                                opening(transaction(steps.get(at)).sessionVersion()),
                                new CommandResult.Done(
                                        new CellVersion(steps.get(at).version()),
                                        CommandResult.Effect.CREATED,
                                        9_000_000,
                                        0))));
        steps(all, "C20", "a job got nothing while younger jobs were placed", place, isLasting(), (steps, at) -> {
            Step waiting = steps.get(at);
            steps.clear();
            steps.addAll(passedOver(waiting));
        });
        steps(all, "C20", "less important jobs overtook one that may evict", place, isLasting(), (steps, at) -> {
            Step waiting = steps.get(at);
            steps.clear();
            steps.addAll(overtaken(waiting));
        });
        steps(all, "C14", "a refused claim is sent again and again", place, isRefused(), (steps, at) -> {
            for (int more = 0; more < 4; more++) {
                steps.add(at + 1, again(steps.get(at)));
            }
        });
        step(all, "C22", "a task was preempted by nobody", place, isDone(), PlantedViolationsTest::withPreempted);
        step(
                all,
                "C22",
                "a transaction evicted a task that it does not name",
                place,
                isPlacing(),
                PlantedViolationsTest::withPreempted);
        step(
                all,
                "C22",
                "a task was evicted for a claim that was refused",
                place,
                isRefused(),
                PlantedViolationsTest::evictingInVain);
        step(
                all,
                "C23",
                "a conflict names no winner",
                place,
                isConflict(),
                step -> withItems(step, item -> item.conflict() ? withWinner(item, Optional.empty()) : item));
        steps(all, "C23", "the winner of a conflict got nothing", place, isConflict(), (steps, at) -> {
            Step loser = steps.get(at);
            long won = outcome(loser).results().stream()
                    .flatMap(item -> item.winner().stream())
                    .findFirst()
                    .orElseThrow()
                    .version();
            steps.replaceAll(step -> step.version() == won ? refused(step) : step);
        });
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

    private static Predicate<Step> isCreating() {
        return step ->
                step.result() instanceof CommandResult.Done done && done.effect() == CommandResult.Effect.CREATED;
    }

    /** A job was submitted that could be placed task by task, and that has not ended at the end. */
    private static Predicate<Step> isLasting() {
        return step -> step.command().orElse(null) instanceof Command.SubmitJob submit
                && !Placeable.needsMoreAtOnce(submit.header())
                && submit.header().priority() > 0
                && Checker.created(step)
                        .flatMap(id -> VALID.replay().end().job(id))
                        .filter(job -> !job.isEnded())
                        .isPresent();
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

    private static Outcome outcome(Step step) {
        return ((CommandResult.Decided) step.result()).outcome();
    }

    private static CommandResult repeated(Step step, long first) {
        return new CommandResult.Repeated(new CellVersion(step.version()), new CellVersion(first));
    }

    private static Command opening(long session) {
        return VALID.replay().steps().stream()
                .filter(step -> step.command().orElse(null) instanceof Command.OpenSession
                        && step.result() instanceof CommandResult.Done done
                        && done.identity() == session)
                .flatMap(step -> step.command().stream())
                .findFirst()
                .orElseThrow();
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

    /** The machines of its tasks have these amounts. */
    private static Step withMachines(Step step, Amounts capacity) {
        List<MachineFact> machines = step.tasks().stream()
                .filter(task -> task.machine() >= 0)
                .map(task -> new MachineFact(
                        task.machine(), Optional.of("planted"), MachineStatus.READY, capacity, Amounts.NONE))
                .toList();
        return new Step(
                step.version(),
                step.atNanos(),
                step.cellTimeMillis(),
                step.command(),
                step.result(),
                step.tasks(),
                machines);
    }

    private static TaskFact onNextMachine(TaskFact task) {
        return new TaskFact(
                task.task(),
                task.state(),
                task.reason(),
                task.attempt(),
                task.machine() + 1,
                task.resources(),
                task.placement());
    }

    private static Step withPreempted(Step step) {
        return withTasks(
                step,
                List.of(new TaskFact(
                        PLANTED_TASK,
                        TaskState.STOPPING,
                        TaskReason.PREEMPTED,
                        1,
                        0,
                        Amounts.of(1),
                        Optional.empty())));
    }

    /** Its first claim is refused, and the eviction for it is accepted. */
    private static Step evictingInVain(Step step) {
        Transaction old = transaction(step);
        Transaction evicting = Transaction.builder(old.id(), old.scheduler())
                .claim(old.task(0), old.generation(0), old.machine(0))
                .evict(new Eviction(PLANTED_TASK, 1, OptionalInt.of(0)))
                .build();
        List<ItemResult> results = List.of(
                ItemResult.refused(ItemKind.CLAIM, Reason.DOES_NOT_FIT),
                ItemResult.accepted(ItemKind.EVICTION, OptionalInt.of(0)));
        Step asked = withCommand(step, new Command.CommitTransaction(evicting), step.result());
        return withPreempted(withResult(asked, decided(outcome(step), results)));
    }

    private static Step withItems(Step step, UnaryOperator<ItemResult> change) {
        Outcome outcome = outcome(step);
        return withResult(
                step, decided(outcome, outcome.results().stream().map(change).toList()));
    }

    private static CommandResult decided(Outcome outcome, List<ItemResult> results) {
        return new CommandResult.Decided(new Outcome(
                outcome.id(), outcome.version(), outcome.verdict(), outcome.reason(), outcome.syncVersion(), results));
    }

    private static ItemResult withWinner(ItemResult item, Optional<Origin> winner) {
        return new ItemResult(
                item.kind(),
                item.accepted(),
                item.conflict(),
                item.machine(),
                item.reason(),
                item.dimension(),
                item.asked(),
                item.free(),
                item.felledBy(),
                winner);
    }

    private static Step refused(Step step) {
        return withResult(
                step,
                new CommandResult.Decided(
                        Outcome.refused(transaction(step).id(), new CellVersion(step.version()), Reason.QUOTA)));
    }

    /** The job is submitted, then another one like it. Only the other one gets tasks placed, again and again. */
    private static List<Step> passedOver(Step submitted) {
        JobId younger = new JobId(submitted.version() + 1);
        JobHeader header = ((Command.SubmitJob) submitted.command().orElseThrow()).header();
        List<Step> steps = new ArrayList<>(List.of(submitted, submittedAgain(submitted, younger)));
        for (int more = 0; more <= PASSED_OVER; more++) {
            long version = younger.version() + 1 + more;
            Transaction.Builder transaction =
                    Transaction.builder(new TransactionId("planted-" + more), header.scheduler());
            steps.add(placed(submitted, younger, version, transaction, List.of()));
        }
        return steps;
    }

    /** A job, and many placements of a smaller and less important one on a machine where it could have evicted that. */
    private static List<Step> overtaken(Step submitted) {
        JobId younger = new JobId(submitted.version() + 1);
        Command.SubmitJob submit = (Command.SubmitJob) submitted.command().orElseThrow();
        JobHeader header = submit.header();
        JobHeader less = new JobHeader(
                "planted",
                header.type(),
                header.scheduler(),
                header.pool(),
                header.priority() - 1,
                header.atomicity(),
                header.conflictRule(),
                List.of(new GroupHeader("main", 1, Amounts.of(1, 1), Restart.BATCH)));
        Command submitLess = new Command.SubmitJob(less, submit.specification(), submit.mode());
        Step again = submittedAgain(submitted, younger);
        List<Step> steps = new ArrayList<>(List.of(submitted, withCommand(again, submitLess, again.result())));
        Amounts room = Amounts.of(9_000, 9_000);
        MachineFact machine = new MachineFact(0, Optional.of("planted"), MachineStatus.READY, room, room);
        for (int more = 0; more <= OVERTAKEN + 1; more++) {
            long version = younger.version() + 1 + more;
            Transaction.Builder transaction = Transaction.builder(
                            new TransactionId("planted-" + more), header.scheduler())
                    .evict(new Eviction(PLANTED_TASK, 1, OptionalInt.of(0)));
            steps.add(placed(submitted, younger, version, transaction, List.of(machine)));
        }
        return steps;
    }

    private static Step placed(
            Step submitted, JobId job, long version, Transaction.Builder transaction, List<MachineFact> machines) {
        Transaction claim = transaction.claim(new TaskId(job, 0, 0), 1, 0).build();
        Outcome placed = new Outcome(
                claim.id(),
                new CellVersion(version),
                Verdict.COMMITTED,
                Optional.empty(),
                new CellVersion(version),
                List.of(ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(0))));
        return new Step(
                version,
                submitted.atNanos(),
                submitted.cellTimeMillis(),
                Optional.of(new Command.CommitTransaction(claim)),
                new CommandResult.Decided(placed),
                List.of(),
                machines);
    }

    private static Step submittedAgain(Step submitted, JobId as) {
        return new Step(
                as.version(),
                submitted.atNanos(),
                submitted.cellTimeMillis(),
                submitted.command(),
                new CommandResult.Done(new CellVersion(as.version()), CommandResult.Effect.CREATED, as.version(), 1),
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
        Outcome outcome = outcome(step);
        List<ItemResult> results = new ArrayList<>(outcome.results());
        results.set(0, ItemResult.refused(results.get(0).kind(), Reason.QUOTA));
        return withResult(step, decided(outcome, results));
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
        history(all, "C4", "the answer to a transaction is another one's", history -> {
            List<Long> decided = history.answered.stream()
                    .filter(answered -> answered.result() instanceof CommandResult.Decided)
                    .map(History.Answered::number)
                    .toList();
            long number = at(decided, place);
            history.asked.replaceAll(asked -> asked.number() == number
                    ? new History.Asked(number, asked.client(), asked.atNanos(), planted(asked.client()))
                    : asked);
        });
        history(all, "C4", "the answer to a submission is another job's", history -> {
            List<History.Asked> submissions = history.asked.stream()
                    .filter(asked -> asked.command() instanceof Command.SubmitJob
                            && history.answered.stream().anyMatch(answered -> answered.number() == asked.number()))
                    .toList();
            int chosen = (int) (place * (submissions.size() - 1));
            History.Asked other = submissions.get(chosen + 1);
            history.asked.replaceAll(asked -> asked.equals(submissions.get(chosen))
                    ? new History.Asked(asked.number(), asked.client(), asked.atNanos(), other.command())
                    : asked);
        });
        history(
                all,
                "C6",
                "a late command was answered at the beginning",
                history -> change(
                        history.answered,
                        (1 + place) / 2,
                        answered -> new History.Answered(answered.number(), 0, answered.result())));
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
                "no read shows a command that was acknowledged before all of them",
                history -> change(
                        history.answered,
                        place,
                        answered -> new History.Answered(
                                answered.number(), 0, done(9_000_000, CommandResult.Effect.CREATED))));
        history(
                all,
                "C7",
                "a read did not show what was acknowledged",
                history -> change(
                        history.reads,
                        place,
                        read -> new History.Read(read.client(), read.askedAtNanos(), read.answeredAtNanos(), 1)));
    }

    private static void users(List<Planted> all, double place) {
        user(all, "C4", "a user's submission was answered with another job's version", place, UserCall.Order.SUBMIT, 3);
        user(all, "C4", "a user's stop stopped another job", place, UserCall.Order.STOP, 1);
        user(
                all,
                "C4",
                "a user was told another generation",
                place,
                UserCall.Order.SUBMIT,
                (call, told) -> answeredAs(
                        call, new UserCall.Done(told.atNanos(), told.job(), told.version(), told.generation() + 1)));
        user(
                all,
                "C4",
                "a user got the answer to another job",
                place,
                UserCall.Order.SUBMIT,
                (call, told) -> answeredAs(
                        call, new UserCall.Done(told.atNanos(), "planted", told.version(), told.generation())));
        user(
                all,
                "C4",
                "what a user was told is not in the log",
                place,
                UserCall.Order.SUBMIT,
                (call, told) ->
                        answeredAs(call, new UserCall.Done(told.atNanos(), told.job(), 9_000_000, told.generation())));
        user(
                all,
                "C4",
                "a submission that was refused is in the log",
                place,
                UserCall.Order.SUBMIT,
                (call, told) -> answeredAs(call, new UserCall.Refused(told.atNanos(), true, false, "planted")));
        user(
                all,
                "C4",
                "a user was told that a job is unknown which the cell has",
                place,
                UserCall.Order.STOP,
                (call, told) -> answeredAs(call, new UserCall.Refused(told.atNanos(), true, true, "planted")));
        user(
                all,
                "C6",
                "a late call of a user was answered at the beginning",
                (1 + place) / 2,
                UserCall.Order.SUBMIT,
                (call, told) -> answeredAs(call, new UserCall.Done(0, told.job(), told.version(), told.generation())));
        user(
                all,
                "C7",
                "no read shows what a user was told before all of them",
                place,
                UserCall.Order.SUBMIT,
                (call, told) -> answeredAs(call, new UserCall.Done(0, told.job(), 9_000_000, told.generation())));
        user(
                all,
                "C13",
                "a user was never answered",
                place,
                UserCall.Order.SUBMIT,
                (call, told) -> answeredAs(call, new UserCall.Unanswered()));
        user(
                all,
                "C13",
                "a server failed inside",
                place,
                UserCall.Order.STOP,
                (call, told) -> answeredAs(
                        call,
                        new UserCall.Failed(VALID.history().healedAtNanos().orElseThrow(), "planted")));
    }

    private static UserCall answeredAs(UserCall call, UserCall.Answer answer) {
        return new UserCall(call.order(), call.job(), call.askedAtNanos(), answer);
    }

    /** Tells the user the version of a later call of that kind. */
    private static void user(
            List<Planted> all, String checker, String what, double place, UserCall.Order order, int away) {
        List<Long> versions = byUsers().userCalls.stream()
                .filter(call -> call.order() == order)
                .map(call -> ((UserCall.Done) call.answer()).version())
                .toList();
        user(all, checker, what, place, order, (call, told) -> {
            int other = (versions.indexOf(told.version()) + away) % versions.size();
            return answeredAs(
                    call, new UserCall.Done(told.atNanos(), told.job(), versions.get(other), told.generation()));
        });
    }

    private static void user(
            List<Planted> all,
            String checker,
            String what,
            double place,
            UserCall.Order order,
            BiFunction<UserCall, UserCall.Done, UserCall> change) {
        History history = byUsers();
        List<UserCall> such =
                history.userCalls.stream().filter(call -> call.order() == order).toList();
        UserCall chosen = at(such, place);
        history.userCalls.replaceAll(
                call -> call.equals(chosen) ? change.apply(call, (UserCall.Done) call.answer()) : call);
        all.add(new Planted(checker, what, new Evidence(history, VALID.replay())));
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
                "C8",
                "a private replica went back",
                history -> change(
                        history.feedSteps,
                        place,
                        step -> new History.FeedStep(
                                step.reader(), step.atNanos(), step.fromVersion(), 0, step.digest(), false)));
        history(all, "C9", "a reader was given nothing new", history -> {
            History.FeedStep step = at(history.feedSteps, place);
            history.feedSteps.add(
                    history.feedSteps.indexOf(step) + 1,
                    new History.FeedStep(
                            step.reader(), step.atNanos(), step.toVersion(), step.toVersion(), step.digest(), false));
        });
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
        history(all, "C24", "a process ran that the log did not place", history -> {
            History.ProcessStarted process = at(history.started, place);
            history.started.add(new History.ProcessStarted(
                    process.machine(),
                    process.atNanos(),
                    new PlacementId(7_000_000, 0),
                    process.task(),
                    process.attempt(),
                    process.resources()));
        });
        history(
                all,
                "C24",
                "another machine ran it than the log says",
                history -> change(
                        history.started,
                        place,
                        process -> new History.ProcessStarted(
                                process.machine().equals("m1") ? "m2" : "m1",
                                process.atNanos(),
                                process.placement(),
                                process.task(),
                                process.attempt(),
                                process.resources())));
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
        history(all, "C8", "two replicas differ at a version that the log does not have", history -> {
            history.replicaStates.add(new History.ReplicaState("r1", 1, 9_000_000, 1));
            history.replicaStates.add(new History.ReplicaState("r2", 1, 9_000_000, 2));
        });
        history(all, "C11", "tasks run on other machines than the cell shows", history -> {
            List<String> machines = List.copyOf(history.running.keySet());
            List<List<PlacementId>> running = new ArrayList<>(history.running.values());
            Collections.rotate(running, 1);
            for (int place = 0; place < machines.size(); place++) {
                history.running.put(machines.get(place), running.get(place));
            }
        });
        history(
                all,
                "C12",
                "the machines have less than they run",
                history -> history.capacities.replaceAll((machine, capacity) -> Amounts.of(1)));
        history(all, "C12", "no process ended before the next attempt", history -> history.ended.clear());
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
                        planted("planted"))));
        history(
                all,
                "C10",
                "a call without a right to it was done",
                history -> history.trespasses.add(new History.Trespass("planted", 1, "submitted a job")));
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
                "C15",
                "a full lane took one more command",
                history -> history.lanesFilled.add(new History.LaneFilled("planted", "REPORTS", 1, 10, 11, 10)));
        history(all, "C11", "a machine with a working agent is not ready", history -> history.tended.add("planted"));
        history(
                all,
                "C16",
                "the log gives other bytes the second time",
                history -> history.log.remove(history.log.size() - 1));
        history(
                all,
                "C16",
                "the log has an entry once more",
                history -> history.log.add(history.log.get(history.log.size() - 1)));
        History ahead = copy(VALID.history());
        change(ahead.log, 0.5, entry -> stampedLater(entry, 60_000));
        all.add(new Planted("C16", "the clock of the log runs ahead of time", Evidence.of(ahead)));
        history(all, "C11", "a machine whose agent is gone is still ready", history -> history.gone.add("m1"));
        all.add(new Planted(
                "C1", "a task was placed where the victim of no claim still is", placedOnAVictim(OptionalInt.empty())));
        all.add(new Planted("C11", "a placed task never starts", stuckIn(TaskState.PLACED, 600)));
        all.add(new Planted("C11", "a task that is told to stop never ends", stuckIn(TaskState.STOPPING, 600)));
        fair(all, "a pool had more than its weight", FAIR, weights -> weights.put("web", 3));
        fair(all, "a pool had less than its weight", FAIR, weights -> weights.put("research", 9));
        fair(all, "the scheduler knows no pools", contended("batch"), weights -> {});
        cut(all, "C17", "a job waits at the end and there is room", history -> {});
        cut(all, "C17", "a job waits for a process that runs without a session", history -> {
            replayed(history.log).end().sessions().forEach(session -> {
                history.alive.add(session.scheduler());
                history.log.add(next(history, new Command.CloseSession(session.id())));
            });
        });
        History unfinished = copy(VALID.history());
        cutAfter(unfinished, stopThatIsContinued());
        all.add(new Planted("C17", "the tasks of a stopped job go on", Evidence.of(unfinished)));
        History resting = copy(VALID.history());
        cutAfter(resting, preemption());
        resting.ended(resting.endedAtNanos() + 600_000_000_000L);
        all.add(new Planted("C17", "a preempted task does not run again", Evidence.of(resting)));
        cut(all, "C19", "a job waits while there is room", history -> {
            history.healed(at(history.log, 1.0).atNanos());
            history.ended(history.healedAtNanos().orElseThrow() + 600_000_000_000L);
        });
    }

    private static void fair(List<Planted> all, String what, Evidence run, Consumer<Map<String, Integer>> change) {
        History history = copy(run.history());
        change.accept(history.contendedWeights);
        all.add(new Planted("C21", what, new Evidence(history, run.replay())));
    }

    private static History.LogEntry stampedLater(History.LogEntry entry, long millis) {
        Entry decoded = EntryCodec.decode(entry.bytes());
        EntryHeader header = decoded.header();
        EntryHeader later = new EntryHeader(
                header.featureLevel(),
                header.cellTime().plusMillis(millis),
                header.wallTimeMillis(),
                header.incarnation());
        return new History.LogEntry(entry.atNanos(), EntryCodec.encode(later, decoded.commands()));
    }

    /** The next entry of a log that ends. */
    private static History.LogEntry next(History history, Command command) {
        History.LogEntry last = at(history.log, 1.0);
        EntryHeader header = EntryCodec.decode(last.bytes()).header();
        return new History.LogEntry(
                last.atNanos(),
                EntryCodec.encode(header, List.of(CommandCodec.encode(new Principal("planted"), command))));
    }

    private static Command planted(String scheduler) {
        return new Command.CommitTransaction(Transaction.builder(new TransactionId("planted"), scheduler)
                .claim(PLANTED_TASK, 1, 0)
                .build());
    }

    /** The log ends right after a job was submitted. */
    private static void cut(List<Planted> all, String checker, String what, Consumer<History> change) {
        History history = copy(VALID.history());
        cutAfter(history, firstPlainJob(job -> true));
        change.accept(history);
        all.add(new Planted(checker, what, Evidence.of(history)));
    }

    /** The version at which the first such job was submitted whose tasks can be placed one by one. */
    private static long firstPlainJob(Predicate<JobHeader> such) {
        return VALID.replay().steps().stream()
                .filter(step -> step.atNanos() > 5_000_000_000L
                        && step.command().orElse(null) instanceof Command.SubmitJob submit
                        && step.result() instanceof CommandResult.Done
                        && submit.header().groups().size() == 1
                        && !Placeable.needsMoreAtOnce(submit.header())
                        && such.test(submit.header()))
                .findFirst()
                .orElseThrow()
                .version();
    }

    /** The version at which the first task was preempted of a job that goes on. */
    private static long preemption() {
        return VALID.replay().steps().stream()
                .filter(step -> step.tasks().stream()
                        .anyMatch(task -> task.state() == TaskState.PREEMPTED
                                && VALID.replay()
                                        .end()
                                        .job(task.task().job())
                                        .filter(job -> !job.isStopped())
                                        .isPresent()))
                .findFirst()
                .orElseThrow()
                .version();
    }

    /** The version of the first stop that was too large for one command. */
    private static long stopThatIsContinued() {
        Set<JobId> continued = VALID.replay().steps().stream()
                .filter(step -> !step.tasks().isEmpty())
                .flatMap(step -> step.command().stream())
                .filter(Command.ContinueStop.class::isInstance)
                .map(command -> ((Command.ContinueStop) command).job())
                .collect(Collectors.toSet());
        return VALID.replay().steps().stream()
                .filter(step -> step.command().orElse(null) instanceof Command.StopJob stop
                        && step.result() instanceof CommandResult.Done done
                        && done.effect() == CommandResult.Effect.CHANGED
                        && continued.contains(stop.job()))
                .findFirst()
                .orElseThrow()
                .version();
    }

    private static void cutAfter(History history, long version) {
        int entries = 0;
        while (entries < history.log.size()
                && replayed(history.log.subList(0, entries)).end().version().number() < version) {
            entries++;
        }
        history.log.subList(entries, history.log.size()).clear();
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
        copy.userCalls.addAll(from.userCalls);
        copy.answered.addAll(from.answered);
        copy.reads.addAll(from.reads);
        copy.log.addAll(from.log);
        copy.replicaStates.addAll(from.replicaStates);
        copy.feedSteps.addAll(from.feedSteps);
        copy.started.addAll(from.started);
        copy.ended.addAll(from.ended);
        copy.leaderless.addAll(from.leaderless);
        copy.broken.addAll(from.broken);
        copy.alive.addAll(from.alive);
        copy.gone.addAll(from.gone);
        copy.tended.addAll(from.tended);
        copy.untrusted.addAll(from.untrusted);
        copy.capacities.putAll(from.capacities);
        copy.running.putAll(from.running);
        copy.decisionMillis.putAll(from.decisionMillis);
        copy.contendedWeights.putAll(from.contendedWeights);
        from.healedAtNanos().ifPresent(copy::healed);
        copy.ended(from.endedAtNanos());
        return copy;
    }
}
