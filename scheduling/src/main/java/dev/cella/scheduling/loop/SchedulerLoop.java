package dev.cella.scheduling.loop;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.LongPlans;
import dev.cella.scheduling.Measure;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Signal;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Drives one scheduler: the job scheduling loop of the dissertation (6.2.1), as a step machine. An event and the time go in,
 * actions come out; there is no thread, no clock and no waiting inside. Live, one thread with a queue drives it. In the
 * simulator the event heap does, and delivers a plan when its decision time is over.
 *
 * <p>After each event it settles the transactions whose outcome the views show, makes jobs ready whose time has come, starts
 * due attempts of tasks, and submits. If there is room for one more transaction, it asks its scheduler's agenda for the next
 * jobs. One plan is under way at a time, or as many as {@link
 * Scheduler#longPlans} allows; up to {@link LoopOptions#transactionsInFlightMax} transactions are in each cell. A plan is
 * made on the views minus what is in flight. A task is not planned again before the view shows the result of its last
 * claim.
 *
 * <p>It works on a list of cells; one cell is a list of one. {@link LoopCell} has everything that belongs to a cell: {@link
 * ViewReader} reads the view, {@link WorkingView} lends views to plans, and {@link InFlight}, {@link SleepingJobs} and {@link
 * Restarts} keep state. The jobs of all cells wait in {@link OpenJobs}. {@link Settlements} handles outcomes, and {@link
 * Attempts} decides the next phase of a job after an attempt. Owned by one thread: the one that reads the views.
 */
public final class SchedulerLoop<M> {
    /** The time after a failure until the loop calls the agenda again, if nothing else happens. */
    private static final long AGENDA_FAILED_MILLIS = 1_000;

    private static final int TAKEN = 0;
    private static final int HELD_BACK = 1;

    private record Turn(
            long number,
            boolean isRound,
            List<OpenJob> jobs,
            List<PlanningView> lent,
            List<Long> momentsSeen,
            CellTime began) {}

    private final LoopOptions options;
    private final LoopClock clock;
    private final OpenJobs jobs;
    private final List<LoopCell> cells = new ArrayList<>();
    private final List<ViewReader> readers = new ArrayList<>();
    private final List<Settlements> settlements = new ArrayList<>();
    private final Attempts attempts;
    private final Agenda<M> agenda;
    private final RoundTimes rounds;
    private final int plansMax;
    private final Observations observations;
    private final Observations observedByHost;
    private final LoopCounters.Counting counting = new LoopCounters.Counting();
    private final BusyTime busyTime = new BusyTime();
    private final Map<Long, Turn> turns = new LinkedHashMap<>();
    private final Events events = new Events();
    private M memory;
    private long turnsBegun;
    private Optional<CellTime> timer = Optional.empty();
    private Optional<CellTime> agendaAgain = Optional.empty();
    private boolean isTurnOfSuspects;
    private Optional<String> lastPlannerFailure = Optional.empty();
    private Optional<String> stopped = Optional.empty();
    private List<Action<M>> actions = new ArrayList<>();

    /** A loop over jobs that require nothing of machines but room. */
    public SchedulerLoop(LoopOptions options, Scheduler<M> scheduler, CellView view, CellTime now) {
        this(options, scheduler, Placements.ANYWHERE, view, now);
    }

    /** A loop over one cell. */
    public SchedulerLoop(
            LoopOptions options, Scheduler<M> scheduler, Placements placements, CellView view, CellTime now) {
        this(
                options,
                scheduler,
                List.of(new LoopSeat(options.session(), view, placements)),
                Observations.NONE,
                scheduler.start(),
                now);
    }

    /**
     * A loop that has not looked at its views yet; {@link Event.ViewReplaced} for each cell begins it.
     *
     * @param observations the host's observations besides the cells
     * @param memory the scheduler's memory: from the previous loop, or its start value
     */
    public SchedulerLoop(
            LoopOptions options,
            Scheduler<M> scheduler,
            List<LoopSeat> seats,
            Observations observations,
            M memory,
            CellTime now) {
        this.options = options;
        this.clock = new LoopClock(now);
        this.agenda = scheduler.agenda();
        this.rounds = new RoundTimes(scheduler.rounds());
        this.plansMax = scheduler.longPlans().map(LongPlans::underWayMax).orElse(1);
        this.observations = observed(place -> cells.get(place).runTimes).or(observations);
        this.observedByHost = observations;
        this.memory = memory;
        this.jobs = new OpenJobs(agenda.order(), options.retryOrder(), agenda.perPool());
        this.attempts = new Attempts(options, clock, jobs, cells);
        for (LoopSeat seat : seats) {
            addCell(new LoopCell(cells.size(), seat, options, agenda), scheduler);
        }
    }

    private void addCell(LoopCell cell, Scheduler<M> scheduler) {
        ViewReader reader = new ViewReader(options, clock, cell, jobs, scheduler::tends);
        cells.add(cell);
        readers.add(reader);
        jobs.addCell(cell.sleeping, cell.policies);
        settlements.add(new Settlements(cell, jobs, attempts, reader, counting, busyTime));
    }

    /** The loop's own observations: the run times of its jobs' tasks. */
    private Observations observed(IntFunction<RunTimes> runTimes) {
        return (cell, measure, subject) -> measure == Measure.RUN_MILLIS && cell < cells.size()
                ? runTimes.apply(cell).find(subject)
                : Optional.empty();
    }

    /**
     * Receives the rows that an advance touched, from the owner of the only view, before {@link Event.ViewAdvanced}.
     */
    public TouchedRows touchedRows() {
        return touchedRows(0);
    }

    /** The same for the cell at that place. */
    public TouchedRows touchedRows(int cell) {
        return readers.get(cell).touchedRows();
    }

    /** The scheduler's present memory, for the loop that replaces this one. */
    public M memory() {
        return memory;
    }

    /** How many turns it has begun, for the loop that replaces this one. */
    public long turnsBegun() {
        return turnsBegun;
    }

    /**
     * Numbers its turns on from those of the loop that it replaces. The ids of transactions have these numbers, and where a
     * session goes on, the cell has decided those of the former loop. Call this before the first event.
     */
    public void continueAfter(long turns) {
        turnsBegun = turns;
    }

    /** Handles one event. Returns the actions to perform, in this order. */
    public List<Action<M>> on(Event<M> event, CellTime time) {
        actions = new ArrayList<>();
        busyTime.passed(clock.advance(time), !turns.isEmpty() || submitted() > 0);
        if (stopped.isEmpty()) {
            cells.forEach(cell -> cell.working.leaveWhatWasGivenUp());
            event.tell(events);
            settlements.forEach(Settlements::settle);
            jobs.policiesMoved();
            jobs.ring(clock.now());
            goOn();
            replyToOffers();
            setTimer();
        }
        return actions;
    }

    private int submitted() {
        int submitted = 0;
        for (LoopCell cell : cells) {
            submitted += cell.inFlight.submitted();
        }
        return submitted;
    }

    /** A paused scheduler finishes only what is under way. */
    private void goOn() {
        for (LoopCell cell : cells) {
            if (!isPaused(cell)) {
                startTasksAgain(cell);
            }
            submit(cell);
        }
        planNext();
    }

    private boolean isPaused(LoopCell cell) {
        return cell.view().isPaused(options.scheduler());
    }

    /** Handles each kind of event. */
    private final class Events implements Event.Listener<M> {
        @Override
        public void viewAdvanced(Event.ViewAdvanced<M> event) {
            readers.get(event.cell()).advanced();
            rounds.changed();
        }

        @Override
        public void viewReplaced(Event.ViewReplaced<M> event) {
            readers.get(event.cell()).replaced(event.view());
            rounds.changed();
        }

        @Override
        public void planned(Event.Planned<M> event) {
            endTurn(event.turn()).ifPresent(ended -> take(ended, event.plan()));
        }

        @Override
        public void plannerFailed(Event.PlannerFailed<M> event) {
            lastPlannerFailure = Optional.of(event.failure());
            counting.plansFailed++;
            endTurn(event.turn()).ifPresent(ended -> failed(ended, alone -> attempts.failed(alone, event.failure())));
        }

        @Override
        public void planGivenUp(Event.PlanGivenUp<M> event) {
            lastPlannerFailure = Optional.of(event.failure());
            counting.plansFailed++;
            counting.plansGivenUp++;
            endTurn(event.turn())
                    .ifPresent(ended ->
                            failed(ended, alone -> attempts.givenUp(alone, event.failure(), millisSince(ended))));
        }

        @Override
        public void answered(Event.Answered<M> event) {
            LoopCell cell = cells.get(event.cell());
            boolean fenced = event.outcome().reason().equals(Optional.of(Reason.FENCED));
            if (cell.inFlight.answered(event.outcome()) && fenced) {
                stop(
                        event.cell(),
                        "another instance of scheduler " + options.scheduler() + " has taken over session "
                                + cell.session);
            }
        }

        @Override
        public void backlogTold(Event.BacklogTold<M> event) {
            cells.get(event.cell()).inFlight.backlogTold(event.transactions());
        }

        @Override
        public void timerFired(Event.TimerFired<M> event) {
            timer = Optional.empty();
        }
    }

    private void stop(int cell, String why) {
        stopped = Optional.of(why);
        actions.add(new Action.Stop<>(cell, why));
    }

    // ---- sending

    private void startTasksAgain(LoopCell cell) {
        cell.restarts.lookAtGangs(cell.view(), clock.now());
        while (cell.inFlight.hasRoom() && isDue(cell.restarts.nextDue())) {
            Transaction.Builder transaction = nextStamp(cell, ++turnsBegun).begin(cell.view(), 0);
            cell.restarts.take(clock.now(), options.claimsMax()).forEach(transaction::step);
            cell.inFlight.add(new Proposal(cell.place, transaction.build()), List.of());
            cell.working.freedAnywhere();
        }
    }

    private boolean isDue(Optional<CellTime> time) {
        return time.isPresent() && !clock.isInFuture(time.get());
    }

    /** A plan that is made while others are under way does not see their claims. */
    private TransactionStamp nextStamp(LoopCell cell, long turn) {
        return new TransactionStamp(options.scheduler(), cell.session, turn, options.claimsMax(), plansMax == 1);
    }

    private void submit(LoopCell cell) {
        InFlight inFlight = cell.inFlight;
        for (Optional<Proposal> next = inFlight.nextToSubmit(); next.isPresent(); next = inFlight.nextToSubmit()) {
            actions.add(new Action.Submit<>(next.get()));
        }
    }

    // ---- plans

    /** A cell that is paused, or has too much in flight, gets no plan; its jobs wait. */
    private boolean takesPlans(int place) {
        return cells.get(place).inFlight.hasRoom() && !isPaused(cells.get(place));
    }

    /** The next turn of a job sees the progress that its last one asked to remember. */
    private boolean mayBegin(OpenJob job) {
        int place = job.key().cell();
        return takesPlans(place) && !cells.get(place).inFlight.remembers(job.id);
    }

    private boolean anyTakesPlans() {
        for (LoopCell cell : cells) {
            if (takesPlans(cell.place)) {
                return true;
            }
        }
        return false;
    }

    /** A round waits for the cells that have too much in flight, and not for those that are paused. */
    private boolean takesRound() {
        for (LoopCell cell : cells) {
            if (!cell.inFlight.hasRoom() && !isPaused(cell)) {
                return false;
            }
        }
        return anyTakesPlans();
    }

    private void planNext() {
        agendaAgain = Optional.empty();
        beginRound();
        while (turns.size() < plansMax && anyTakesPlans()) {
            LoopStanding standing = new LoopStanding(
                    clock.now(), jobs, place -> cells.get(place).view(), this::mayBegin);
            if (standing.isEmpty()) {
                return;
            }
            List<OpenJob> chosen = choose(standing);
            if (chosen.isEmpty()) {
                return;
            }
            planThose(chosen, standing);
        }
    }

    private void beginRound() {
        if (turns.size() < plansMax && rounds.isDue(clock.now(), this::isInFlight) && takesRound()) {
            rounds.began(clock.now());
            plan(List.of(), true);
        }
    }

    private boolean isInFlight(TransactionId transaction) {
        return cells.stream().anyMatch(cell -> cell.inFlight.isInFlight(transaction));
    }

    /** An exception of the agenda is the scheduler's fault. The loop calls it again a little later. */
    private List<OpenJob> choose(LoopStanding standing) {
        return AuthorsCode.call(() -> chosenByAgenda(standing), fault -> {
            lastPlannerFailure = Optional.of("the agenda throws " + fault);
            counting.plansFailed++;
            agendaAgain = Optional.of(clock.now().plusMillis(AGENDA_FAILED_MILLIS));
            return List.of();
        });
    }

    private List<OpenJob> chosenByAgenda(LoopStanding standing) {
        Set<OpenJob> chosen = new LinkedHashSet<>();
        for (JobKey key : agenda.next(standing, memory)) {
            jobs.find(key).filter(standing::waits).ifPresent(chosen::add);
        }
        if (chosen.isEmpty()) {
            agendaAgain = agenda.again(standing, memory).filter(clock::isInFuture);
        }
        return apart(chosen);
    }

    /** The jobs of a plan that failed are planned in halves, until the one at fault is alone. Others have each second plan. */
    private List<OpenJob> apart(Collection<OpenJob> chosen) {
        List<OpenJob> suspects = chosen.stream().filter(OpenJob::isSuspect).toList();
        if (suspects.isEmpty()) {
            isTurnOfSuspects = false;
            return List.copyOf(chosen);
        }
        isTurnOfSuspects = !isTurnOfSuspects || suspects.size() == chosen.size();
        if (!isTurnOfSuspects) {
            return chosen.stream().filter(job -> !job.isSuspect()).toList();
        }
        int most = suspects.get(0).togetherMax;
        return suspects.stream()
                .filter(job -> job.togetherMax == most)
                .limit(most)
                .toList();
    }

    /** A job with nothing left to decide has no turn. */
    private void planThose(List<OpenJob> chosen, LoopStanding standing) {
        List<OpenJob> planned = new ArrayList<>(chosen.size());
        for (OpenJob job : chosen) {
            if (attempts.hasTurn(job)) {
                standing.wokenAtHome(job).ifPresent(woken -> job.freed = OptionalInt.of(woken.machine()));
                planned.add(job);
            } else {
                jobs.idle(job);
            }
        }
        if (!planned.isEmpty()) {
            plan(planned, false);
        }
    }

    private void plan(List<OpenJob> planned, boolean isRound) {
        long number = ++turnsBegun;
        int tasks = 0;
        long seed = isRound ? Digests.mix(options.seed(), number) : 0;
        List<JobWork> work = new ArrayList<>(planned.size());
        List<Signal> signals = new ArrayList<>();
        for (OpenJob job : planned) {
            JobRow row = cells.get(job.key().cell()).view().job(job.id).orElseThrow();
            signals.addAll(job.signals());
            jobs.planning(job);
            job.attempts++;
            tasks += job.pending();
            seed = seed == 0 ? attempts.seed(job) : Digests.mix(seed, attempts.seed(job));
            work.add(new JobWork(job.key(), row.header(), row.generation(), job.attempts, job.results(), job.since));
        }
        counting.plans++;
        List<Long> moments = new ArrayList<>(cells.size());
        List<PlanningView> lent = new ArrayList<>(cells.size());
        for (LoopCell cell : cells) {
            moments.add(cell.sleeping.beginPlan(turns.isEmpty()));
            lent.add(cell.working.lend(nextStamp(cell, number)));
        }
        turns.put(number, new Turn(number, isRound, planned, lent, moments, clock.now()));
        actions.add(new Action.PlanNow<>(
                number,
                lent,
                new Work(work, signals),
                new PlanContext<>(clock.now(), seed, memory, observations),
                tasks,
                () -> lendLater(number)));
    }

    /** The copies that a plan on another thread works with, while the loop goes on. */
    private LentLater lendLater(long number) {
        List<Function<CellView, PlanningView>> views = new ArrayList<>(cells.size());
        List<RunTimes> runTimes = new ArrayList<>(cells.size());
        for (LoopCell cell : cells) {
            views.add(cell.working.lendLater(nextStamp(cell, number)));
            runTimes.add(cell.runTimes.copy());
        }
        return new LentLater(views, observed(runTimes::get).or(observedByHost));
    }

    /** If a job left this instance and came back during the turn, the turn applies to its current {@link OpenJob}. */
    private Optional<Turn> endTurn(long number) {
        Turn ended = turns.remove(number);
        if (ended == null) {
            return Optional.empty();
        }
        busyTime.planned(millisSince(ended));
        for (LoopCell cell : cells) {
            cell.working.returned(ended.lent().get(cell.place));
        }
        List<OpenJob> open = new ArrayList<>();
        ended.jobs().forEach(job -> jobs.find(job.key()).ifPresent(open::add));
        if (ended.isRound()) {
            rounds.ended();
        }
        return Optional.of(new Turn(number, ended.isRound(), open, ended.lent(), ended.momentsSeen(), ended.began()));
    }

    private long millisSince(Turn began) {
        return clock.now().millis() - began.began().millis();
    }

    /** If the plan was for several jobs, one of them may be the cause, and only that one loses its turn. */
    private void failed(Turn ended, Consumer<OpenJob> losesTurn) {
        int jobsPlanned = ended.jobs().size();
        for (OpenJob job : ended.jobs()) {
            if (jobsPlanned > 1) {
                job.togetherMax = jobsPlanned / 2;
                jobs.call(job);
            } else {
                losesTurn.accept(job);
            }
        }
    }

    private void take(Turn ended, Plan<M> plan) {
        memory = plan.memory();
        Map<JobKey, int[]> counts = propose(ended, plan.proposals());
        revert(plan);
        for (OpenJob job : ended.jobs()) {
            if (isPaused(cells.get(job.key().cell()))) {
                jobs.call(job);
                continue;
            }
            int[] count = counts.getOrDefault(job.key(), new int[2]);
            job.togetherMax = OpenJob.ANY_NUMBER;
            if (!attempts.planned(job, plan, count[TAKEN], count[HELD_BACK], ended.momentsSeen())) {
                counting.plansEmpty++;
            }
        }
    }

    /** Only a job that still is of the generation that the plan saw. */
    private void revert(Plan<M> plan) {
        for (Revert revert : plan.reverts()) {
            jobs.find(revert.job())
                    .filter(job -> job.generation == revert.from()
                            && !isPaused(cells.get(job.key().cell())))
                    .ifPresent(job -> actions.add(new Action.RevertJob<>(revert)));
        }
    }

    /** Takes the proposals, without those that would only be refused once more, and counts both for each job. */
    private Map<JobKey, int[]> propose(Turn ended, List<Proposal> proposals) {
        Map<JobKey, int[]> counts = new HashMap<>();
        long millisEach = millisSince(ended) / Math.max(1, proposals.size());
        for (Proposal proposal : proposals) {
            LoopCell cell = cells.get(proposal.cell());
            List<OpenJob> askers = Askers.of(proposal, ended.jobs());
            boolean repeated = isRepeated(askers, proposal, cell);
            for (OpenJob job : askers) {
                counts.computeIfAbsent(job.key(), key -> new int[2])[repeated ? HELD_BACK : TAKEN]++;
            }
            if (isPaused(cell) || (askers.isEmpty() && !ended.isRound())) {
                continue;
            }
            if (ended.isRound()) {
                rounds.asks(proposal.transaction().id());
            }
            if (repeated) {
                counting.plansRepeated++;
            } else {
                cell.inFlight.add(proposal, asking(askers));
                busyTime.proposed(proposal.transaction().id(), millisEach);
                cell.working.moved();
            }
        }
        cells.forEach(this::submit);
        return counts;
    }

    private static boolean isRepeated(List<OpenJob> askers, Proposal proposal, LoopCell cell) {
        for (OpenJob job : askers) {
            if (job.refused.isRepeatedBy(proposal.transaction(), cell.view())) {
                return true;
            }
        }
        return false;
    }

    /** One more transaction of these jobs' turn is undecided. Returns their keys. */
    private static List<JobKey> asking(List<OpenJob> askers) {
        List<JobKey> keys = new ArrayList<>(askers.size());
        for (OpenJob job : askers) {
            job.undecided++;
            keys.add(job.key());
        }
        return keys;
    }

    // ---- offers

    private void replyToOffers() {
        for (LoopCell cell : cells) {
            if (cell.offers.takesPart()) {
                replyToOffers(cell);
            }
        }
    }

    private void replyToOffers(LoopCell cell) {
        boolean decides = !turns.isEmpty()
                || cell.inFlight.submitted() > 0
                || jobs.all(cell.place).stream().anyMatch(SchedulerLoop::isAboutToDecide)
                || !cell.sleeping.woken().isEmpty();
        boolean works = jobs.all(cell.place).stream().anyMatch(job -> job.phase != Phase.IDLE && !job.sleepsByChoice);
        actions.addAll(cell.replies.next(works, decides, clock.now()));
    }

    private static boolean isAboutToDecide(OpenJob job) {
        return job.phase == Phase.READY || job.phase == Phase.RESTING || job.phase == Phase.PLANNING;
    }

    // ---- the next time

    private void setTimer() {
        Optional<CellTime> next = earliest(jobs.nextAlarm(), agendaAgain);
        next = earliest(next, rounds.next().filter(clock::isInFuture));
        for (LoopCell cell : cells) {
            next = earliest(next, cell.replies.lookAgainAt().filter(clock::isInFuture));
            next = earliest(next, cell.restarts.nextDue().filter(clock::isInFuture));
        }
        if (!next.equals(timer)) {
            next.ifPresent(at -> actions.add(new Action.SetTimer<>(at)));
            timer = next;
        }
    }

    private static Optional<CellTime> earliest(Optional<CellTime> one, Optional<CellTime> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().compareTo(other.get()) <= 0 ? one : other;
    }

    // ---- for people

    /** The present state of a loop over one cell. */
    public LoopStatus status() {
        return status(0);
    }

    /** The present state of the loop; version, pause and jobs are those of the cell at that place. */
    public LoopStatus status(int place) {
        Map<JobKey, Integer> places = jobs.placesInQueue(LoopStatus.JOBS_MAX);
        return new LoopStatus(
                cells.get(place).view().version(),
                jobs.count(Phase.READY),
                jobs.count(Phase.RESTING),
                jobs.count(Phase.ASLEEP),
                !turns.isEmpty(),
                isPaused(cells.get(place)),
                submitted(),
                cells.stream().mapToInt(cell -> cell.restarts.waiting()).sum(),
                busyTime.busyMillis(),
                busyTime.planningMillis(),
                busyTime.wastedMillis(),
                clock.elapsedMillis(),
                counting.counters(),
                lastPlannerFailure,
                stopped,
                jobs.waiting().stream()
                        .filter(job -> job.key().cell() == place && !job.isAtEase())
                        .limit(LoopStatus.JOBS_MAX)
                        .map(job -> job.status(placeIn(places, job)))
                        .toList());
    }

    private static OptionalInt placeIn(Map<JobKey, Integer> places, OpenJob job) {
        Integer known = places.get(job.key());
        return known == null ? OptionalInt.empty() : OptionalInt.of(known);
    }
}
