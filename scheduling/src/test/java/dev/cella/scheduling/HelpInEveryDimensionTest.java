package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One machine of 4000 cpuMilli, 8192 memoryMib, 1000 diskMib, and the ports 8000-8002. */
class HelpInEveryDimensionTest {
    private static final CellTime NOW = new CellTime(1_000);
    private static final int PORT = 3;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final SessionId session;

    HelpInEveryDimensionTest() {
        done(new Command.FoundCell(new CellName("sample"), new Incarnation(1)));
        done(new Command.RaiseFeatureLevel(EntryCodec.SETS_LEVEL));
        done(new Command.AddDimension(new Dimension("port", Dimension.Kind.SET)));
        session = new SessionId(done(new Command.OpenSession("mine", "one", "batch", 10_000, Optional.empty()))
                .identity());
        capacity(8_192, 1_000, "8000-8002");
    }

    private void capacity(long memoryMib, long diskMib, String ports) {
        long count = MemberSet.parse(ports).size();
        Amounts capacity = ports(Amounts.of(4_000, memoryMib, diskMib, count), ports);
        done(new Command.PutMachine("m0", capacity, new TreeMap<>(), Optional.empty(), false));
    }

    @Test
    void memoryAndDiskThatAreNamed_areEnough_andLessIsNot() {
        others(Amounts.of(100, 8_000, 600));
        JobId job = submit("mine", Amounts.of(100, 500, 700));
        assertThat(helps(job)).contains("308 memoryMib and 300 diskMib more on m0");
        capacity(8_192 + 307, 1_300, "8000-8002");
        assertThat(helps(job)).contains("1 memoryMib more on m0");
        capacity(8_192 + 308, 1_300, "8000-8002");
        assertThat(left(job)).isEmpty();
    }

    @Test
    void portsThatAreLacking_areCounted() {
        others(ports(Amounts.of(100, 100, 0, 2), "8000-8001"));
        JobId job = submit("mine", Amounts.of(100, 100, 0, 2));
        assertThat(helps(job)).contains("1 port more on m0", "the eviction of 1 task of priority 50 on m0");
        capacity(8_192, 1_000, "8000-8003");
        assertThat(left(job)).isEmpty();
    }

    /** Two other ports are free, so the number is no hindrance. More of them do not help: only an eviction does. */
    @Test
    void portThatIsAskedForAndTaken_isNotHelpedByOtherPorts() {
        others(ports(Amounts.of(100, 100, 0, 1), "8000"));
        JobId job = submit("mine", ports(Amounts.of(100, 100, 0, 1), "8000"));
        assertThat(helps(job)).containsExactly("the eviction of 1 task of priority 50 on m0");
    }

    @Test
    void portThatIsAskedForAndTaken_isNotHelpedByMemory() {
        others(ports(Amounts.of(100, 8_000, 0, 1), "8000"));
        JobId job = submit("mine", ports(Amounts.of(100, 500, 0, 1), "8000"));
        assertThat(helps(job)).containsExactly("the eviction of 1 task of priority 50 on m0");
    }

    private static Amounts ports(Amounts amounts, String ports) {
        return amounts.naming(Members.NONE.with(PORT, MemberSet.parse(ports)));
    }

    private void others(Amounts used) {
        JobId job = submit("others", used);
        apply(new Command.CommitTransaction(Transaction.builder(new TransactionId("others"), "others")
                .basis(cell.view().version())
                .claim(new TaskId(job, 0, 0), 1, 0)
                .build()));
        assertThat(cell.view().job(job).orElseThrow().pending()).isZero();
    }

    private JobId submit(String name, Amounts shape) {
        JobHeader job = new JobHeader(
                name,
                JobType.BATCH,
                name,
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", 1, shape, Restart.BATCH)));
        return new JobId(done(new Command.SubmitJob(job, Specification.EMPTY, Command.SubmitMode.CREATE))
                .identity());
    }

    private CommandResult apply(Command command) {
        return cell.apply(new EntryHeader(1, NOW, NOW.millis(), cell.view().incarnation()), command);
    }

    private CommandResult.Done done(Command command) {
        return (CommandResult.Done) apply(command);
    }

    private List<String> helps(JobId job) {
        return left(job).get(0).helps();
    }

    private List<Unplaced> left(JobId job) {
        CellView view = cell.view();
        TransactionStamp stamp = new TransactionStamp("mine", session, 1, Transaction.CLAIMS_MAX);
        Surroundings surroundings = Surroundings.of(view, row -> Placement.ANYWHERE);
        try (PlanningView planned = new PlanningView(view, view.draft(), new TaskSet(), stamp, surroundings)) {
            PendingGroup group = planned.pendingGroups(job).get(0);
            return planned.fits(0, group.shape()) ? List.of() : List.of(group.explain());
        }
    }
}
