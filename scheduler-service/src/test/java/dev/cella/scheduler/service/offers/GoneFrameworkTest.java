package dev.cella.scheduler.service.offers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The allocator ends the tasks of a scheduler that has left. */
class GoneFrameworkTest {
    private static final long FAILOVER_MILLIS = 600_000;
    private static final Optional<Participation> TAKES_PART = Optional.of(new Participation("role", 1, Amounts.NONE));

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final OffersScheduler scheduler = new OffersScheduler(
            AllocationPolicy.DRF, new Rounds(Duration.ofSeconds(1), Duration.ZERO), 50, 30_000, FAILOVER_MILLIS);
    private final SessionId allocator;
    private OffersMemory memory = OffersMemory.NOTHING;
    private CellTime now = new CellTime(1_000);
    private long turns;

    /** A framework that has a task on the only machine. */
    GoneFrameworkTest() {
        apply(new Command.FoundCell(new CellName("offers"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        apply(new Command.PutMachine("m0", Amounts.of(4_000, 8_192), new TreeMap<>(), Optional.empty(), false));
        apply(new Command.SetRights("offers", new Rights(JobHeader.PRIORITY_MAX, List.of(), true, Rights.Evicts.ANY)));
        allocator = open("offers", Optional.empty());
        GroupHeader group = new GroupHeader("main", 1, Amounts.of(1_000, 64), Restart.BATCH);
        JobId job = new JobId(identity(new Command.SubmitJob(
                new JobHeader(
                        "job",
                        JobType.BATCH,
                        "framework",
                        "default",
                        50,
                        Atomicity.INCREMENTAL,
                        ConflictRule.RESOURCE,
                        List.of(group)),
                Specification.EMPTY,
                Command.SubmitMode.CREATE)));
        apply(new Command.CommitTransaction(Transaction.builder(new TransactionId("place"), "framework")
                .claim(new TaskId(job, 0, 0), 1, 0)
                .build()));
        assertThat(onMachines()).isEqualTo(1);
    }

    @Test
    void tasksOfAFrameworkWithoutASession_endAfterItsFailover() {
        SessionId session = open("framework", TAKES_PART);
        round();
        apply(new Command.CloseSession(session));
        round();
        now = now.plusMillis(FAILOVER_MILLIS - 1);
        round();
        assertThat(onMachines()).isEqualTo(1);
        now = now.plusMillis(1);
        round();
        assertThat(onMachines()).isZero();
    }

    @Test
    void tasksOfASchedulerThatTakesPartNoLonger_liveOn() {
        open("framework", TAKES_PART);
        round();
        SessionId without = open("framework", Optional.empty());
        round();
        now = now.plusMillis(FAILOVER_MILLIS);
        round();
        assertThat(onMachines()).isEqualTo(1);
        apply(new Command.CloseSession(without));
        round();
        now = now.plusMillis(FAILOVER_MILLIS);
        round();
        assertThat(onMachines()).isEqualTo(1);
    }

    /** A round gets nothing in a cell where the allocator is paused. */
    @Test
    void tasksWhoseFailoverEndsDuringAPause_endAfterIt() {
        SessionId session = open("framework", TAKES_PART);
        round();
        apply(new Command.CloseSession(session));
        round();
        apply(new Command.PauseScheduler("offers", true));
        now = now.plusMillis(FAILOVER_MILLIS);
        assertThat(plan().proposals()).isEmpty();
        apply(new Command.PauseScheduler("offers", false));
        round();
        assertThat(onMachines()).isZero();
    }

    private int onMachines() {
        return cell.view().job("job").orElseThrow().group(0).onMachines();
    }

    private SessionId open(String name, Optional<Participation> offers) {
        return new SessionId(identity(new Command.OpenSession(name, "one", "test", 60_000, Optional.empty(), offers)));
    }

    private void round() {
        plan().proposals().forEach(proposal -> apply(new Command.CommitTransaction(proposal.transaction())));
    }

    private Plan<OffersMemory> plan() {
        Draft draft = cell.view().draft();
        draft.clear();
        PlanningView view = new PlanningView(
                cell.view(),
                draft,
                new TaskSet(),
                new TransactionStamp("offers", allocator, ++turns, 10_000),
                Surroundings.of(cell.view()));
        Plan<OffersMemory> plan = Planning.plan(
                scheduler,
                List.of(view),
                new Work(List.of(), List.of()),
                new PlanContext<>(now, 7, memory, Observations.NONE));
        memory = plan.memory();
        return plan;
    }

    private long identity(Command command) {
        return ((CommandResult.Done) apply(command)).identity();
    }

    private CommandResult apply(Command command) {
        EntryHeader header = new EntryHeader(
                Math.max(1, cell.view().featureLevel()),
                now,
                now.millis(),
                cell.view().incarnation());
        CommandResult result = cell.apply(header, command);
        cell.takeChanges();
        assertThat(result).as("%s", command).isNotInstanceOf(CommandResult.Refused.class);
        return result;
    }
}
