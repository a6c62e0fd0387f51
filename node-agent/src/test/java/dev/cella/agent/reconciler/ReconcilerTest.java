package dev.cella.agent.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.agent.reconciler.AgentEvent.Answer;
import dev.cella.transactions.model.Invariants.BrokenInvariantException;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReconcilerTest {
    private static final JobId JOB = new JobId(7);
    private static final long GRACE_MILLIS = 10_000;
    private static final long LEASE_MILLIS = 60_000;
    private static final GroupRun RUN =
            new GroupRun("hello", "main", List.of("true"), Map.of(), Optional.empty(), GRACE_MILLIS);
    private static final JobRuns RUNS = new JobRuns(JOB, 1, List.of(RUN));
    private static final Assignment FIRST = assignment(10, 0);
    private static final Assignment SECOND = assignment(11, 1);

    private final Reconciler reconciler = new Reconciler(ReconcilerOptions.DEFAULT);
    private long now = 1_000;

    private static Assignment assignment(long version, int index) {
        return new Assignment(new PlacementId(version, 0), new TaskId(JOB, 0, index), 1, 1);
    }

    private static ShownAttempt shown(Assignment assignment, TaskState state) {
        return new ShownAttempt(assignment, state, TaskReason.NONE, false);
    }

    private static ShownAttempt stopping(Assignment assignment, TaskReason reason) {
        return new ShownAttempt(assignment, TaskState.STOPPING, reason, false);
    }

    /** What runners need not remember any more; left out of what {@link #on} answers. */
    private final List<AgentAction> forgotten = new ArrayList<>();

    private List<AgentAction> on(AgentEvent event) {
        List<AgentAction> actions = new ArrayList<>(reconciler.on(event, now));
        actions.stream().filter(AgentAction.Forget.class::isInstance).forEach(forgotten::add);
        actions.removeIf(AgentAction.Forget.class::isInstance);
        return actions;
    }

    private List<AgentAction> view(ShownAttempt... shown) {
        return on(new AgentEvent.ViewAdvanced(List.of(shown)));
    }

    private List<AgentAction> answer(Report report, Answer answer) {
        return on(new AgentEvent.ReportAnswered(report, answer));
    }

    private void register() {
        on(new AgentEvent.Begun());
        on(new AgentEvent.Registered(LEASE_MILLIS));
    }

    private void start(Assignment assignment) {
        view(shown(assignment, TaskState.PLACED));
        on(new AgentEvent.SpecificationFound(RUNS));
    }

    private Report run(Assignment assignment) {
        start(assignment);
        return sent(on(new AgentEvent.Started(assignment.placement())));
    }

    private List<AgentAction> end(Assignment assignment, TaskEnd end) {
        return on(new AgentEvent.Ended(assignment.placement(), end));
    }

    private static Report sent(List<AgentAction> actions) {
        assertThat(actions).hasSize(1).first().isInstanceOf(AgentAction.Send.class);
        return ((AgentAction.Send) actions.get(0)).report();
    }

    private static GroupRun run(RunSettings settings) {
        return new GroupRun("job", "main", List.of("true"), Map.of(), Optional.empty(), 1_000, settings);
    }

    private void adopt(Assignment assignment, RunSettings settings, long ranMillis, Optional<TaskEnd> end) {
        Adopted adopted = new Adopted(new Launch(assignment, run(settings)), ranMillis, end);
        assertThat(on(new AgentEvent.Adopts(List.of(adopted)))).isEmpty();
        register();
    }

    private static RunSettings timeout(long millis) {
        RunSettings plain = RunSettings.PLAIN;
        return new RunSettings(
                plain.user(),
                plain.stopSignal(),
                millis,
                plain.isolation(),
                plain.image(),
                plain.resources(),
                plain.ports(),
                plain.check(),
                false,
                false,
                false,
                false,
                false);
    }

    /** A copy does the work of the task that it copies, so it has that task's index. */
    @Test
    void copy_isTheTaskThatItCopies_toItsCommand() {
        Assignment copy = new Assignment(new PlacementId(12, 0), new TaskId(JOB, 1, 0), 1, 1);
        register();
        view(shown(copy, TaskState.PLACED));
        JobRuns runs = new JobRuns(JOB, 1, Map.of(0, RUN, 1, RUN), Map.of(1, List.of(7)));
        List<AgentAction> actions = on(new AgentEvent.SpecificationFound(runs));

        assertThat(actions).hasSize(1).first().isInstanceOfSatisfying(AgentAction.Start.class, start -> {
            assertThat(start.launch().assignment()).isEqualTo(copy);
            assertThat(start.launch().run().settings().home()).contains(new HomeTask("hello", "main", 7, 1));
        });
    }

    private static ShownAttempt spare(TaskState state, boolean spare) {
        return new ShownAttempt(FIRST, state, TaskReason.NONE, false, Map.of(), OptionalLong.empty(), spare);
    }

    @Test
    void spareWork_startsAsSuch_andIsUpgradedOnce() {
        register();
        view(spare(TaskState.PLACED, true));
        assertThat(on(new AgentEvent.SpecificationFound(RUNS)))
                .containsExactly(new AgentAction.Start(new Launch(FIRST, RUN, Map.of(), true)));
        on(new AgentEvent.Started(FIRST.placement()));
        assertThat(view(spare(TaskState.RUNNING, true))).isEmpty();

        assertThat(view(spare(TaskState.RUNNING, false))).containsExactly(new AgentAction.Upgrade(FIRST.placement()));
        assertThat(view(spare(TaskState.RUNNING, false))).isEmpty();
    }

    @Test
    void spareWorkThatWasUpgradedWhileNoAgentRan_isUpgradedByTheNextOne() {
        Adopted adopted = new Adopted(new Launch(FIRST, RUN, Map.of(), true), 5_000, Optional.empty());
        on(new AgentEvent.Adopts(List.of(adopted)));
        register();
        assertThat(view(shown(FIRST, TaskState.RUNNING))).containsExactly(new AgentAction.Upgrade(FIRST.placement()));
    }

    @Test
    void spareWorkWithoutRoom_isEnded_andIsLost() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        assertThat(on(new AgentEvent.NoRoom(FIRST.placement())))
                .containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(on(new AgentEvent.NoRoom(FIRST.placement()))).isEmpty();
        Report report = sent(end(FIRST, TaskEnd.stopped(143)));
        assertThat(report.state()).isEqualTo(TaskState.LOST);
        assertThat(report.reason()).isEqualTo(TaskReason.PREEMPTED);
    }

    @Test
    void adopted_running_isNotStartedAgain_andItsEndIsReported() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        assertThat(view(shown(FIRST, TaskState.RUNNING))).isEmpty();
        Report report = sent(end(FIRST, TaskEnd.exited(7)));
        assertThat(report.state()).isEqualTo(TaskState.FAILED);
        assertThat(report.exitCode()).hasValue(7);
    }

    @Test
    void adopted_runningThatTheCellShowsAsPlaced_isReportedRunning() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        assertThat(sent(view(shown(FIRST, TaskState.PLACED))).state()).isEqualTo(TaskState.RUNNING);
        assertThat(view(shown(FIRST, TaskState.PLACED))).isEmpty();
    }

    @Test
    void adopted_ended_isReportedOnce_andForgottenWhenTheCellKnows() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.of(TaskEnd.exited(0)));
        Report report = sent(view(shown(FIRST, TaskState.RUNNING)));
        assertThat(report.state()).isEqualTo(TaskState.FINISHED);
        assertThat(view(shown(FIRST, TaskState.RUNNING))).isEmpty();
        answer(report, Answer.ACCEPTED);
        assertThat(forgotten).isEmpty();
        view();
        assertThat(forgotten).containsExactly(new AgentAction.Forget(FIRST.placement()));
    }

    @Test
    void adopted_thatEndsBeforeTheFirstView_isNotStartedAgain_andItsEndIsReported() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        assertThat(end(FIRST, TaskEnd.exited(7))).isEmpty();
        register();
        Report running = sent(view(shown(FIRST, TaskState.PLACED)));
        assertThat(running.state()).isEqualTo(TaskState.RUNNING);
        Report end = sent(answer(running, Answer.ACCEPTED));
        assertThat(end.state()).isEqualTo(TaskState.FAILED);
        assertThat(end.exitCode()).hasValue(7);
        assertThat(forgotten).isEmpty();
    }

    @Test
    void adopted_thatEndsBeforeTheFirstView_andIsNotShown_isForgotten() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        end(FIRST, TaskEnd.exited(7));
        register();
        assertThat(view()).isEmpty();
        assertThat(forgotten).containsExactly(new AgentAction.Forget(FIRST.placement()));
    }

    @Test
    void adopted_thatTheCellDoesNotShow_isStopped() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        assertThat(view()).containsExactly(new AgentAction.Terminate(FIRST.placement()));
    }

    @Test
    void shownAsRunning_andKnownToNobody_isLost() {
        register();
        Report report = sent(view(shown(FIRST, TaskState.RUNNING)));
        assertThat(report.state()).isEqualTo(TaskState.LOST);
        assertThat(report.reason()).isEqualTo(TaskReason.AGENT_LOST);
    }

    @Test
    void timeout_countsFromTheStart_andFailsTheAttempt() {
        adopt(FIRST, timeout(8_000), 5_000, Optional.empty());
        view(shown(FIRST, TaskState.RUNNING));
        now = reconciler.dueAtMillis();
        assertThat(now).isEqualTo(4_000);
        assertThat(on(new AgentEvent.TimerFired())).containsExactly(new AgentAction.Terminate(FIRST.placement()));
        Report report = sent(end(FIRST, TaskEnd.stopped(143)));
        assertThat(report.state()).isEqualTo(TaskState.FAILED);
        assertThat(report.reason()).isEqualTo(TaskReason.TIMEOUT);
    }

    @Test
    void unhealthy_isEnded_andFails() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        view(shown(FIRST, TaskState.RUNNING));
        assertThat(on(new AgentEvent.Unhealthy(FIRST.placement())))
                .containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(on(new AgentEvent.Unhealthy(FIRST.placement()))).isEmpty();
        assertThat(sent(end(FIRST, TaskEnd.stopped(143))).reason()).isEqualTo(TaskReason.UNHEALTHY);
    }

    private Report runUnchecked() {
        start(FIRST);
        return sent(on(new AgentEvent.Started(FIRST.placement(), true)));
    }

    private List<AgentAction> pass() {
        return on(new AgentEvent.Checked(FIRST.placement()));
    }

    private static ShownAttempt running(TaskReason check) {
        return new ShownAttempt(FIRST, TaskState.RUNNING, check, false);
    }

    @Test
    void firstCheckThatPasses_isReportedOnce() {
        register();
        Report running = runUnchecked();
        assertThat(running).isEqualTo(Report.running(FIRST, TaskReason.AWAITS_CHECK, now));
        answer(running, Answer.ACCEPTED);
        view(running(TaskReason.AWAITS_CHECK));
        Report checked = sent(pass());
        assertThat(checked).isEqualTo(Report.running(FIRST, TaskReason.CHECKED, now));
        assertThat(pass()).isEmpty();
        assertThat(answer(checked, Answer.ACCEPTED)).isEmpty();
        assertThat(view(running(TaskReason.AWAITS_CHECK))).isEmpty();
        assertThat(view(running(TaskReason.CHECKED))).isEmpty();
        assertThat(pass()).isEmpty();
    }

    @Test
    void attemptWithoutACheck_isReportedWithoutOne() {
        register();
        assertThat(run(FIRST)).isEqualTo(Report.running(FIRST, TaskReason.NONE, now));
    }

    /** The check may pass before the cell has answered the report that the attempt runs. */
    @Test
    void checkThatPasses_isReportedAfterTheStart_andAgainUntilAnswered() {
        register();
        Report running = runUnchecked();
        assertThat(pass()).isEmpty();
        Report checked = sent(answer(running, Answer.ACCEPTED));
        assertThat(checked.reason()).isEqualTo(TaskReason.CHECKED);
        on(new AgentEvent.ReportUnanswered(checked));
        now = reconciler.dueAtMillis();
        assertThat(sent(on(new AgentEvent.TimerFired()))).isEqualTo(checked);
        assertThat(answer(checked, Answer.ACCEPTED)).isEmpty();
    }

    @Test
    void adopted_whoseCheckPassesAgain_isReportedOnlyIfTheCellDoesNotShowIt() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        view(running(TaskReason.CHECKED));
        assertThat(pass()).isEmpty();
    }

    @Test
    void adopted_whoseCheckPasses_isReportedIfTheCellAwaitsIt() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        assertThat(view(running(TaskReason.AWAITS_CHECK))).isEmpty();
        assertThat(sent(pass()).reason()).isEqualTo(TaskReason.CHECKED);
    }

    @Test
    void adopted_whoseCheckPassesBeforeTheFirstView_isReportedWithIt() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        assertThat(pass()).isEmpty();
        assertThat(sent(view(running(TaskReason.AWAITS_CHECK))))
                .isEqualTo(Report.running(FIRST, TaskReason.CHECKED, now));
        assertThat(view(running(TaskReason.AWAITS_CHECK))).isEmpty();
    }

    @Test
    void adopted_whoseCheckPassedBeforeTheCellKnewItsStart_isReportedInOne() {
        adopt(FIRST, RunSettings.PLAIN, 5_000, Optional.empty());
        pass();
        Report report = sent(view(shown(FIRST, TaskState.PLACED)));
        assertThat(report).isEqualTo(Report.running(FIRST, TaskReason.CHECKED, now));
        assertThat(answer(report, Answer.ACCEPTED)).isEmpty();
    }

    @Test
    void restoredCell_isToldAgainOfACheckThatPassed() {
        register();
        answer(runUnchecked(), Answer.ACCEPTED);
        answer(sent(pass()), Answer.ACCEPTED);
        on(new AgentEvent.Restored(FIRST.placement().version()));
        on(new AgentEvent.Registered(LEASE_MILLIS));
        assertThat(sent(view(running(TaskReason.AWAITS_CHECK))).reason()).isEqualTo(TaskReason.CHECKED);
    }

    @Test
    void checkThatPassesWhileTheAttemptEnds_isNotReported() {
        register();
        answer(runUnchecked(), Answer.ACCEPTED);
        view(stopping(FIRST, TaskReason.UPDATED));
        assertThat(pass()).isEmpty();
        end(FIRST, TaskEnd.stopped(143));
        assertThat(pass()).isEmpty();
    }

    @Test
    void begun_registers_andAgainUntilAnswered() {
        assertThat(on(new AgentEvent.Begun())).containsExactly(new AgentAction.Register(1));
        assertThat(on(new AgentEvent.NotRegistered())).isEmpty();
        now = reconciler.dueAtMillis();
        assertThat(now).isEqualTo(1_100);
        assertThat(on(new AgentEvent.TimerFired())).containsExactly(new AgentAction.Register(1));
        on(new AgentEvent.NotRegistered());
        assertThat(reconciler.dueAtMillis()).isEqualTo(1_300);
    }

    @Test
    void view_beforeRegistered_isNotFollowed() {
        on(new AgentEvent.Begun());
        assertThat(view(shown(FIRST, TaskState.PLACED))).isEmpty();
    }

    @Test
    void placed_fetchesStartsAndReports() {
        register();
        assertThat(view(shown(FIRST, TaskState.PLACED))).containsExactly(new AgentAction.FetchSpecification(JOB, 1));
        assertThat(on(new AgentEvent.SpecificationFound(RUNS)))
                .containsExactly(new AgentAction.Start(new Launch(FIRST, RUN)));
        now = 1_050;
        assertThat(on(new AgentEvent.Started(FIRST.placement())))
                .containsExactly(new AgentAction.Send(Report.running(FIRST, TaskReason.NONE, 1_050)));
    }

    @Test
    void placed_shownTwice_isStartedOnce() {
        register();
        start(FIRST);
        assertThat(view(shown(FIRST, TaskState.PLACED))).isEmpty();
        assertThat(on(new AgentEvent.SpecificationFound(RUNS))).isEmpty();
    }

    @Test
    void placedButWaiting_startsWhenItWaitsNoMore() {
        register();
        assertThat(view(new ShownAttempt(FIRST, TaskState.PLACED, TaskReason.NONE, true)))
                .isEmpty();
        assertThat(view(shown(FIRST, TaskState.PLACED))).containsExactly(new AgentAction.FetchSpecification(JOB, 1));
    }

    @Test
    void specification_missing_failsTheTask() {
        register();
        view(shown(FIRST, TaskState.PLACED));
        Report report = sent(on(new AgentEvent.SpecificationMissing(JOB, 1)));
        assertThat(report.state()).isEqualTo(TaskState.FAILED);
        assertThat(report.reason()).isEqualTo(TaskReason.NOT_STARTED);
        assertThat(report.exitCode()).isEmpty();
    }

    @Test
    void specification_withoutTheGroup_failsTheTask() {
        register();
        view(shown(FIRST, TaskState.PLACED));
        Report report = sent(on(new AgentEvent.SpecificationFound(new JobRuns(JOB, 1, List.of()))));
        assertThat(report.state()).isEqualTo(TaskState.FAILED);
    }

    @Test
    void specification_unanswered_isAskedAgainLater() {
        register();
        view(shown(FIRST, TaskState.PLACED));
        assertThat(on(new AgentEvent.SpecificationUnanswered(JOB, 1))).isEmpty();
        now = reconciler.dueAtMillis();
        assertThat(on(new AgentEvent.TimerFired())).containsExactly(new AgentAction.FetchSpecification(JOB, 1));
        assertThat(reconciler.dueAtMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void end_isReportedAfterRunningWasAnswered() {
        register();
        Report running = run(FIRST);
        assertThat(end(FIRST, TaskEnd.exited(0))).isEmpty();
        Report finished = sent(answer(running, Answer.ACCEPTED));
        assertThat(finished.state()).isEqualTo(TaskState.FINISHED);
        assertThat(finished.exitCode()).hasValue(0);
        assertThat(answer(finished, Answer.ACCEPTED)).isEmpty();
    }

    @Test
    void end_withAnotherCode_isFailed() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        Report report = sent(end(FIRST, TaskEnd.exited(3)));
        assertThat(report.state()).isEqualTo(TaskState.FAILED);
        assertThat(report.exitCode()).hasValue(3);
    }

    @Test
    void neverStarted_isFailedWithItsReason() {
        register();
        start(FIRST);
        Report report = sent(end(FIRST, TaskEnd.neverStarted(TaskReason.NOT_STARTED)));
        assertThat(report.state()).isEqualTo(TaskState.FAILED);
        assertThat(report.exitCode()).isEmpty();
    }

    @Test
    void report_unanswered_isRepeatedWithGrowingWaits() {
        register();
        Report running = run(FIRST);
        List<Long> waits = new ArrayList<>();
        for (int attempt = 0; attempt < 8; attempt++) {
            assertThat(on(new AgentEvent.ReportUnanswered(running))).isEmpty();
            waits.add(reconciler.dueAtMillis() - now);
            now = reconciler.dueAtMillis();
            assertThat(sent(on(new AgentEvent.TimerFired()))).isEqualTo(running);
        }
        assertThat(waits).containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    }

    @Test
    void end_stillShownAfterItsAnswer_isNotStartedAgain() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        answer(sent(end(FIRST, TaskEnd.exited(0))), Answer.ACCEPTED);
        assertThat(view(shown(FIRST, TaskState.RUNNING))).isEmpty();
        assertThat(view()).isEmpty();
    }

    @Test
    void end_refusedAsNoLegalStep_isAnswered() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        answer(sent(end(FIRST, TaskEnd.exited(0))), Answer.REFUSED);
        assertThat(reconciler.dueAtMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void stopping_isToldToEndThenKilledAfterItsGrace() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        assertThat(view(stopping(FIRST, TaskReason.KILLED)))
                .containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(view(stopping(FIRST, TaskReason.KILLED))).isEmpty();
        assertThat(reconciler.dueAtMillis()).isEqualTo(now + GRACE_MILLIS);
        now += GRACE_MILLIS;
        assertThat(on(new AgentEvent.TimerFired())).containsExactly(new AgentAction.Kill(FIRST.placement()));
        now = reconciler.dueAtMillis();
        assertThat(on(new AgentEvent.TimerFired())).containsExactly(new AgentAction.Kill(FIRST.placement()));
        Report report = sent(end(FIRST, TaskEnd.stopped(137)));
        assertThat(report.state()).isEqualTo(TaskState.KILLED);
        assertThat(report.exitCode()).hasValue(137);
        assertThat(report.reason()).isEqualTo(TaskReason.KILLED);
    }

    @Test
    void restoredCell_theAttemptsThatItKnowsGoOn_andTheMachineRegistersOnceTheOthersHaveEnded() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        view(shown(FIRST, TaskState.RUNNING), shown(SECOND, TaskState.PLACED));
        on(new AgentEvent.SpecificationFound(RUNS));
        answer(sent(on(new AgentEvent.Started(SECOND.placement()))), Answer.ACCEPTED);

        assertThat(on(new AgentEvent.Restored(FIRST.placement().version())))
                .containsExactly(new AgentAction.Terminate(SECOND.placement()));
        assertThat(end(SECOND, TaskEnd.stopped(143))).containsExactly(new AgentAction.Register(2));
        on(new AgentEvent.Registered(LEASE_MILLIS));
        assertThat(sent(view(shown(FIRST, TaskState.PLACED))).state()).isEqualTo(TaskState.RUNNING);
        assertThat(reconciler.processes()).isOne();
    }

    @Test
    void restoredCell_isToldAgainOfAnEndThatItDoesNotKnow() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        view(shown(FIRST, TaskState.RUNNING));
        answer(sent(end(FIRST, TaskEnd.exited(0))), Answer.ACCEPTED);

        assertThat(on(new AgentEvent.Restored(FIRST.placement().version())))
                .containsExactly(new AgentAction.Register(2));
        on(new AgentEvent.Registered(LEASE_MILLIS));
        assertThat(sent(view(shown(FIRST, TaskState.RUNNING))).state()).isEqualTo(TaskState.FINISHED);
    }

    private static ShownAttempt stoppingWithin(long graceMillis) {
        return new ShownAttempt(
                FIRST, TaskState.STOPPING, TaskReason.KILLED, false, Map.of(), OptionalLong.of(graceMillis), false);
    }

    @Test
    void stopping_withAGraceOfItsOwn_isKilledAfterThat_andALaterOneMayShortenIt() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        assertThat(view(stoppingWithin(60 * GRACE_MILLIS)))
                .containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(reconciler.dueAtMillis()).isEqualTo(now + 60 * GRACE_MILLIS);
        now += GRACE_MILLIS;
        assertThat(on(new AgentEvent.TimerFired())).isEmpty();
        assertThat(view(stoppingWithin(0))).isEmpty();
        assertThat(reconciler.dueAtMillis()).isEqualTo(now);
        assertThat(on(new AgentEvent.TimerFired())).containsExactly(new AgentAction.Kill(FIRST.placement()));
    }

    @Test
    void stopping_becausePreempted_endsPreempted() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        view(stopping(FIRST, TaskReason.PREEMPTED));
        assertThat(sent(end(FIRST, TaskEnd.stopped(143))).state()).isEqualTo(TaskState.PREEMPTED);
    }

    @Test
    void stopping_butItHadEndedByItself_endsAsItDid() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        view(stopping(FIRST, TaskReason.PREEMPTED));
        assertThat(sent(end(FIRST, TaskEnd.exited(0))).state()).isEqualTo(TaskState.FINISHED);
    }

    @Test
    void stopping_neverStartedHere_isKilledWithoutAProcess() {
        register();
        List<AgentAction> actions = view(stopping(FIRST, TaskReason.KILLED));
        Report report = sent(actions);
        assertThat(report.state()).isEqualTo(TaskState.KILLED);
        assertThat(report.exitCode()).isEmpty();
        assertThat(view(stopping(FIRST, TaskReason.KILLED))).isEmpty();
    }

    @Test
    void stopping_whileItStarts_isToldToEndAndNeverReportedRunning() {
        register();
        start(FIRST);
        assertThat(view(stopping(FIRST, TaskReason.KILLED)))
                .containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(on(new AgentEvent.Started(FIRST.placement()))).isEmpty();
        assertThat(sent(end(FIRST, TaskEnd.stopped(143))).state()).isEqualTo(TaskState.KILLED);
    }

    @Test
    void stopping_whileItsSpecificationIsFetched_isNeverStarted() {
        register();
        view(shown(FIRST, TaskState.PLACED));
        sent(view(stopping(FIRST, TaskReason.KILLED)));
        assertThat(on(new AgentEvent.SpecificationFound(RUNS))).isEmpty();
    }

    @Test
    void notShownAnyMore_isStoppedWithoutAReport() {
        register();
        answer(run(FIRST), Answer.ACCEPTED);
        assertThat(view()).containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(end(FIRST, TaskEnd.stopped(143))).isEmpty();
        assertThat(reconciler.processes()).isZero();
        assertThat(reconciler.dueAtMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void notShownAnyMore_itsOpenReportIsDropped() {
        register();
        Report running = run(FIRST);
        on(new AgentEvent.ReportUnanswered(running));
        view();
        end(FIRST, TaskEnd.stopped(143));
        assertThat(answer(running, Answer.STOP_IT)).isEmpty();
        assertThat(reconciler.dueAtMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void stopIt_stopsTheTaskWithoutFurtherReports() {
        register();
        Report running = run(FIRST);
        assertThat(answer(running, Answer.STOP_IT)).containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(end(FIRST, TaskEnd.stopped(143))).isEmpty();
        assertThat(view(shown(FIRST, TaskState.PLACED))).isEmpty();
    }

    @Test
    void leaseLost_stopsEverythingWithLittleGrace_registersWhenTheLastIsGone() {
        register();
        run(FIRST);
        view(shown(FIRST, TaskState.RUNNING), shown(SECOND, TaskState.PLACED));
        on(new AgentEvent.SpecificationFound(RUNS));
        assertThat(on(new AgentEvent.LeaseLost()))
                .containsExactly(
                        new AgentAction.Terminate(FIRST.placement()), new AgentAction.Terminate(SECOND.placement()));
        assertThat(reconciler.dueAtMillis()).isEqualTo(now + ReconcilerOptions.DEFAULT.graceLostMillisMax());
        assertThat(end(FIRST, TaskEnd.stopped(143))).isEmpty();
        assertThat(end(SECOND, TaskEnd.stopped(143))).containsExactly(new AgentAction.Register(2));
    }

    @Test
    void leaseLost_withNothingRunning_registersAtOnce() {
        register();
        view(shown(FIRST, TaskState.PLACED));
        assertThat(on(new AgentEvent.LeaseLost())).containsExactly(new AgentAction.Register(2));
        assertThat(on(new AgentEvent.LeaseLost())).isEmpty();
    }

    @Test
    void leaseOver_nothingStarts_untilItIsRenewed() {
        register();
        run(FIRST);
        now += LEASE_MILLIS;
        assertThat(view(shown(FIRST, TaskState.RUNNING), shown(SECOND, TaskState.PLACED)))
                .isEmpty();
        assertThat(on(new AgentEvent.Renewed(now - LEASE_MILLIS))).isEmpty();
        assertThat(on(new AgentEvent.Renewed(now - 1))).containsExactly(new AgentAction.FetchSpecification(JOB, 1));
        assertThat(on(new AgentEvent.Renewed(now - 1))).isEmpty();
    }

    @Test
    void leaseOver_whileTheSpecificationIsUnderWay_startsAfterTheRenewal() {
        register();
        view(shown(FIRST, TaskState.PLACED));
        now += LEASE_MILLIS;
        assertThat(on(new AgentEvent.SpecificationFound(RUNS))).isEmpty();
        assertThat(on(new AgentEvent.Renewed(now))).containsExactly(new AgentAction.FetchSpecification(JOB, 1));
        assertThat(on(new AgentEvent.SpecificationFound(RUNS)))
                .hasSize(1)
                .first()
                .isInstanceOf(AgentAction.Start.class);
    }

    @Test
    void leaseOver_whatIsStoppedBeforeItBegan_endsAtOnce() {
        register();
        now += LEASE_MILLIS;
        view(shown(FIRST, TaskState.PLACED));
        assertThat(sent(view(stopping(FIRST, TaskReason.KILLED))).state()).isEqualTo(TaskState.KILLED);
        assertThat(on(new AgentEvent.Renewed(now))).isEmpty();
    }

    /** The cell may have decided the first request, and counts from then on. */
    @Test
    void registeredAfterManyRequests_theLeaseCountsFromTheFirst() {
        on(new AgentEvent.Begun());
        now += LEASE_MILLIS;
        on(new AgentEvent.NotRegistered());
        on(new AgentEvent.Registered(LEASE_MILLIS));
        assertThat(view(shown(FIRST, TaskState.PLACED))).isEmpty();
        assertThat(on(new AgentEvent.Renewed(now))).containsExactly(new AgentAction.FetchSpecification(JOB, 1));
    }

    @Test
    void takenOver_stopsEverythingAndNeverRegistersAgain() {
        register();
        run(FIRST);
        assertThat(on(new AgentEvent.TakenOver())).containsExactly(new AgentAction.Terminate(FIRST.placement()));
        assertThat(end(FIRST, TaskEnd.stopped(143))).isEmpty();
        assertThat(on(new AgentEvent.LeaseLost())).isEmpty();
        assertThat(view(shown(SECOND, TaskState.PLACED))).isEmpty();
    }

    @Test
    void runner_speakingOfWhatItWasNotAskedFor_isABrokenInvariant() {
        register();
        assertThatThrownBy(() -> on(new AgentEvent.Started(FIRST.placement())))
                .isInstanceOf(BrokenInvariantException.class);
        run(FIRST);
        end(FIRST, new TaskEnd(OptionalInt.of(0), TaskReason.NONE, false));
        assertThatThrownBy(() -> end(FIRST, TaskEnd.exited(0))).isInstanceOf(BrokenInvariantException.class);
    }
}
