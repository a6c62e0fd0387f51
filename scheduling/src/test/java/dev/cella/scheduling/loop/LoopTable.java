package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.Scheduler;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A loop's test as a table, one line a step. A line without an arrow happens in the cell, unseen by the loop:
 *
 * <pre>
 * machine m1 4000            registers a machine of 4000 cpuMilli
 * job a 2 x 1000             submits a job of 2 tasks; may end in: beside 1 x 100 (another group) | priority P | all-or-nothing | restart N DELAY DELAYMAX
 *                            | gang MIN HOLDAFTER all/one | wait (for the machine of a lost task) | of NAME (another scheduler)
 * update a 2 x 500           updates the job a to that, in its next generation
 * scale a 1                  gives the first group of the job a that many tasks
 * others take m1 1000        another scheduler's claim is committed; may end in: priority P
 * others leave m1            what another scheduler placed there ends
 * others hold m1 1000        a job of another scheduler gets a hold
 * others release m1          that job is stopped, and its hold ends
 * run a/0, finish a/0, fail a/0, lose m1, drain m1, ready m1, remove m1, stop a, fence, pause, resume
 * instance three comes, instance three goes    another instance of the scheduler, which gets its share of the jobs
 * instance three offered     the same, and the scheduler may claim only what it is offered while that instance is there
 * quota 2000                 limits the jobs' pool to 2000 cpuMilli; quota none lifts the limit
 * wait 1000                  1000 milliseconds pass
 * commit                     decides the oldest transaction submitted
 * </pre>
 *
 * <p>A line with an arrow is an event, and after the arrow are the actions it must lead to:
 *
 * <pre>
 * view ->                    the replica has reached the cell's version
 * view replaced ->           a replica made from a snapshot takes its place
 * loop replaced ->           another loop takes the place of this one, under the same session
 * planned ->                 the plan that was asked for, made when it was asked for
 * given up 5000 ->           the requested plan has not arrived after that many milliseconds
 * answer ->                  the oldest outcome that was decided
 * backlog 100 ->             that many transactions, of all schedulers, wait at the cell
 * timer ->                   time passes until the timer, which fires
 * </pre>
 */
final class LoopTable<M> {
    private static final String SCHEDULER = "test";
    private static final String GIVEN_UP = "given up ";
    private static final String BESIDE = "beside";
    private static final String BACKLOG = "backlog ";

    private final TestCell cell = new TestCell();
    private final Scheduler<M> scheduler;
    private final LoopOptions options;
    private SchedulerLoop<M> loop;
    private final Map<String, JobId> jobs = new HashMap<>();
    private final Map<String, Deque<TaskId>> others = new HashMap<>();
    private final Map<String, SessionId> instances = new HashMap<>();
    private final Deque<Event<M>> plans = new ArrayDeque<>();
    private final Deque<Transaction> submitted = new ArrayDeque<>();
    private final Deque<Outcome> decided = new ArrayDeque<>();
    private final Keeping driver = new Keeping();
    private CellReplica replica = new CellReplica();
    private long timerAt = -1;
    private long planned;
    private int othersJobs;

    LoopTable(Scheduler<M> scheduler, int transactionsInFlightMax) {
        this(scheduler, transactionsInFlightMax, RetryOrder.KEEPS_PLACE);
    }

    LoopTable(Scheduler<M> scheduler, int transactionsInFlightMax, RetryOrder retryOrder) {
        this.scheduler = scheduler;
        options = LoopOptions.of(SCHEDULER, cell.openSession(SCHEDULER), 42)
                .withTransactionsInFlightMax(transactionsInFlightMax)
                .withRetryOrder(retryOrder);
        replica.applyChanges(cell.takeChanges());
        loop = new SchedulerLoop<>(options, scheduler, replica.view(), cell.time());
    }

    static LoopTable<?> with(JobPlanner planner) {
        return with(planner, LoopOptions.TRANSACTIONS_IN_FLIGHT_MAX);
    }

    static LoopTable<?> with(JobPlanner planner, int transactionsInFlightMax) {
        return new LoopTable<>(planner.scheduler(), transactionsInFlightMax);
    }

    LoopStatus status() {
        return loop.status();
    }

    TestCell cell() {
        return cell;
    }

    LoopTable<M> run(String table) {
        for (String line : table.lines().map(String::strip).toList()) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                runLine(line);
            }
        }
        return this;
    }

    private void runLine(String line) {
        int arrow = line.indexOf("->");
        if (arrow < 0) {
            happen(line.split(" +"));
        } else {
            List<Action<M>> actions = deliver(line.substring(0, arrow).strip());
            assertThat(render(actions))
                    .as(line)
                    .isEqualTo(line.substring(arrow + 2).strip());
        }
    }

    // ---- in the cell

    private void happen(String[] words) {
        switch (words[0]) {
            case "machine" -> cell.putMachine(words[1], Long.parseLong(words[2]));
            case "job" -> jobs.put(words[1], cell.submit(job(words)));
            case "update" -> cell.update(job(words));
            case "scale" -> cell.scale(job(words[1]), Integer.parseInt(words[2]));
            case "others" -> others(words);
            case "run" -> cell.report(task(words[1]), TaskState.RUNNING);
            case "finish" -> cell.report(task(words[1]), TaskState.FINISHED);
            case "fail" -> cell.report(task(words[1]), TaskState.FAILED);
            case "replace" -> cell.replace(SCHEDULER, task(words[1]));
            case "lose" -> cell.loseMachine(words[1]);
            case "drain" -> cell.changeMachine(words[1], Command.MachineChange.DRAIN);
            case "ready" -> cell.changeMachine(words[1], Command.MachineChange.READY);
            case "remove" -> cell.changeMachine(words[1], Command.MachineChange.REMOVE);
            case "stop" -> cell.stop(job(words[1]));
            case "fence" -> cell.openSession(SCHEDULER);
            case "instance" -> instance(words[1], words[2]);
            case "pause" -> cell.pause(SCHEDULER, true);
            case "resume" -> cell.pause(SCHEDULER, false);
            case "quota" -> cell.limit(words[1].equals("none") ? Limits.NONE : Limits.of(Long.parseLong(words[1])));
            case "wait" -> cell.passMillis(Long.parseLong(words[1]));
            case "commit" -> decided.add(cell.commit(submitted.remove()));
            default -> throw new IllegalArgumentException(String.join(" ", words));
        }
    }

    private static JobHeader job(String[] words) {
        int priority = 50;
        String owner = SCHEDULER;
        Atomicity atomicity = Atomicity.INCREMENTAL;
        Restart restart = Restart.BATCH;
        OnLost onLost = OnLost.REPLACE;
        Optional<Gang> gang = Optional.empty();
        List<String> beside = new ArrayList<>();
        for (int place = 5; place < words.length; place++) {
            switch (words[place]) {
                case "priority" -> priority = Integer.parseInt(words[++place]);
                case "of" -> owner = words[++place];
                case "all-or-nothing" -> atomicity = Atomicity.ALL_OR_NOTHING;
                case "restart" ->
                    restart = new Restart(
                            Integer.parseInt(words[++place]),
                            Long.parseLong(words[++place]),
                            Long.parseLong(words[++place]));
                case "beside" -> {
                    beside.addAll(List.of(words).subList(place + 1, place + 4));
                    place += 3;
                }
                case "wait" -> onLost = OnLost.WAIT;
                case "gang" ->
                    gang = Optional.of(new Gang(
                            Integer.parseInt(words[++place]),
                            Long.parseLong(words[++place]),
                            Gang.Restarts.valueOf(words[++place].toUpperCase(Locale.ROOT))));
                default -> throw new IllegalArgumentException(words[place]);
            }
        }
        List<GroupHeader> groups = new ArrayList<>();
        groups.add(new GroupHeader(
                "main", Integer.parseInt(words[2]), Amounts.of(Long.parseLong(words[4])), restart, 0, 0, onLost, gang));
        if (!beside.isEmpty()) {
            Amounts shape = Amounts.of(Long.parseLong(beside.get(2)));
            groups.add(new GroupHeader(
                    BESIDE, Integer.parseInt(beside.get(0)), shape, restart, 0, 0, onLost, Optional.empty()));
        }
        return new JobHeader(
                words[1], JobType.BATCH, owner, "default", priority, atomicity, ConflictRule.RESOURCE, groups);
    }

    private void others(String[] words) {
        Deque<TaskId> onMachine = others.computeIfAbsent(words[2], machine -> new ArrayDeque<>());
        if (words[1].equals("leave")) {
            TaskId task = onMachine.remove();
            cell.report(task, TaskState.RUNNING);
            cell.report(task, TaskState.FINISHED);
            return;
        }
        if (words[1].equals("release")) {
            cell.stop(onMachine.remove().job());
            return;
        }
        String name = "others-" + othersJobs++;
        GroupHeader group = new GroupHeader("main", 1, Amounts.of(Long.parseLong(words[3])), Restart.BATCH);
        JobId job = cell.submit(new JobHeader(
                name,
                JobType.BATCH,
                "others",
                "default",
                words.length > 5 ? Integer.parseInt(words[5]) : 50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group)));
        TaskId task = new TaskId(job, 0, 0);
        int machine = cell.view().findMachine(words[2]).orElseThrow();
        Transaction.Builder transaction = Transaction.builder(new TransactionId(name), "others")
                .basis(cell.view().version());
        if (words[1].equals("hold")) {
            cell.commit(transaction
                    .hold(new HoldRequest(job, machine, group.shape(), 60_000))
                    .build());
            assertThat(cell.view().holdsOn(machine)).hasSize(1);
        } else {
            Outcome outcome = cell.commit(transaction.claim(task, 1, machine).build());
            assertThat(outcome.accepted()).isEqualTo(1);
        }
        onMachine.add(task);
    }

    private void instance(String name, String does) {
        switch (does) {
            case "comes" -> instances.put(name, cell.openSession(SCHEDULER, name));
            case "offered" -> instances.put(name, cell.openOfferedSession(SCHEDULER, name));
            default -> cell.closeSession(Objects.requireNonNull(instances.remove(name), name));
        }
    }

    private JobId job(String name) {
        return Objects.requireNonNull(jobs.get(name), name);
    }

    private TaskId task(String text) {
        String[] parts = text.split("/", -1);
        return new TaskId(job(parts[0]), parts.length - 2, Integer.parseInt(parts[parts.length - 1]));
    }

    // ---- to the loop

    private List<Action<M>> deliver(String event) {
        if (event.startsWith(GIVEN_UP)) {
            cell.passMillis(Long.parseLong(event.substring(GIVEN_UP.length())));
            plans.remove();
            return on(new Event.PlanGivenUp<>(planned, "too slow"));
        }
        if (event.startsWith(BACKLOG)) {
            return on(new Event.BacklogTold<>(Long.parseLong(event.substring(BACKLOG.length()))));
        }
        return switch (event) {
            case "view" -> {
                replica.applyChanges(cell.takeChanges(), loop.touchedRows());
                yield on(new Event.ViewAdvanced<>());
            }
            case "view replaced" -> {
                cell.takeChanges();
                replica = new CellReplica();
                replica.load(cell.snapshot());
                yield on(new Event.ViewReplaced<>(replica.view()));
            }
            case "loop replaced" -> {
                SchedulerLoop<M> next = new SchedulerLoop<>(options, scheduler, replica.view(), cell.time());
                next.continueAfter(loop.turnsBegun());
                loop = next;
                yield on(new Event.ViewReplaced<>(replica.view()));
            }
            case "planned" -> on(plans.remove());
            case "answer" -> on(new Event.Answered<>(decided.remove()));
            case "timer" -> {
                assertThat(timerAt).as("a timer is set").isNotNegative();
                cell.passMillis(Math.max(0, timerAt - cell.time().millis()));
                timerAt = -1;
                yield on(new Event.TimerFired<>());
            }
            default -> throw new IllegalArgumentException(event);
        };
    }

    private List<Action<M>> on(Event<M> event) {
        List<Action<M>> actions = loop.on(event, cell.time());
        actions.forEach(action -> action.perform(driver));
        return actions;
    }

    /** Keeps plans, transactions and the timer until a row delivers them. Nothing follows from the other actions here. */
    private final class Keeping implements Action.Driver<M> {
        @Override
        public void plan(Action.PlanNow<M> action) {
            planned = action.turn();
            plans.add(action.run(scheduler));
        }

        @Override
        public void submit(Action.Submit<M> action) {
            submitted.add(action.proposal().transaction());
        }

        @Override
        public void setTimer(Action.SetTimer<M> action) {
            timerAt = action.at().millis();
        }

        @Override
        public void stop(Action.Stop<M> action) {}

        @Override
        public void decline(Action.Decline<M> action) {}

        @Override
        public void wantOffers(Action.WantOffers<M> action) {}

        @Override
        public void revert(Action.RevertJob<M> action) {}
    }

    // ---- as text

    private String render(List<Action<M>> actions) {
        Rendering rendering = new Rendering();
        actions.forEach(action -> action.perform(rendering));
        return String.join("; ", rendering.texts);
    }

    /** Describes each action in a few words. */
    private final class Rendering implements Action.Driver<M> {
        private final List<String> texts = new ArrayList<>();

        @Override
        public void plan(Action.PlanNow<M> action) {
            texts.add("plan " + name(action.work().jobs().get(0).id()));
        }

        @Override
        public void submit(Action.Submit<M> action) {
            texts.add("submit " + render(action.proposal().transaction()));
        }

        @Override
        public void setTimer(Action.SetTimer<M> action) {
            long millis = action.at().millis() - cell.time().millis();
            texts.add(millis < 1_000 ? "timer soon" : "timer " + millis);
        }

        @Override
        public void stop(Action.Stop<M> action) {
            texts.add("stop");
        }

        @Override
        public void decline(Action.Decline<M> action) {
            texts.add("decline " + action.offer());
        }

        @Override
        public void wantOffers(Action.WantOffers<M> action) {
            texts.add(action.wanted() ? "want offers" : "want no offers");
        }

        @Override
        public void revert(Action.RevertJob<M> action) {
            texts.add("revert " + name(action.revert().job().id()));
        }
    }

    private String render(Transaction transaction) {
        List<String> items = new ArrayList<>();
        transaction
                .steps()
                .forEach(step ->
                        items.add(render(step.task()) + " " + step.kind().name().toLowerCase(Locale.ROOT)));
        transaction
                .holds()
                .forEach(hold -> items.add("hold " + hold.amounts().at(0) + " on " + machineName(hold.machine())));
        for (int claim = 0; claim < transaction.claims(); claim++) {
            items.add(render(transaction.task(claim)) + " on " + machineName(transaction.machine(claim)));
        }
        return String.join(", ", items);
    }

    private String machineName(int machine) {
        return cell.view().machineExists(machine) ? cell.view().machineName(machine) : "nowhere";
    }

    private String render(TaskId task) {
        return name(task.job()) + (task.group() == 0 ? "/" : "/" + BESIDE + "/") + task.index();
    }

    private String name(JobId id) {
        Optional<String> name = jobs.entrySet().stream()
                .filter(each -> each.getValue().equals(id))
                .map(Map.Entry::getKey)
                .findFirst();
        return name.orElseThrow();
    }
}
