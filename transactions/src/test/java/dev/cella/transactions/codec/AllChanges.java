package dev.cella.transactions.codec;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** One frame with every kind of change, and one without any. */
final class AllChanges {
    static void tell(ChangeSink sink) {
        Origin origin = new Origin(new TransactionId("t1"), "batch", 4, 7);
        sink.begin(7, 1_000, 1_700_000_000_000L, origin);
        sink.founded(new CellName("cella"), new Incarnation(-5));
        sink.featureLevelRaised(1);
        sink.dimensionAdded(new Dimension("gpus", Dimension.Kind.SET));
        tellMachines(sink);
        tellJobs(sink);
        sink.sessionOpened("batch", "one", "batch", 10_000);
        sink.sessionRenewed(4, "batch", 20_000);
        sink.sessionClosed(4);
        sink.holdPut(5, 0, 17, Amounts.of(4, 5), 31_000);
        sink.poolPut("a/b", Limits.of(5, Limits.UNLIMITED, 7));
        sink.sessionOffers(9, new Participation("role", 2, Amounts.of(500)), true);
        sink.offerPut(9, 1, 17, Amounts.of(4, 5), 31_000);
        sink.offerEnded(new OfferId(77, 3));
        sink.offerRefused(9, 17, 36_000);
        sink.offersRevived(9);
        sink.poolDefined("a", POLICY);
        sink.poolRemoved("a");
        sink.rightsSet("web", RIGHTS_ON_MACHINES);
        sink.rightsSet("apollo", RIGHTS_ON_SPARE);
        sink.rightsSet("batch", new Rights(40, List.of("a"), false, Rights.Evicts.OWN));
        sink.schedulerPaused("batch", true);
        sink.tokenPut(GoldenTest.TOKEN);
        sink.tokenRevoked("batch");
        sink.transactionDecided(Verdict.PARTIAL, 6, 2, 1, 0);
        sink.end();
        sink.begin(8, 1_000, 1_700_000_000_001L, null);
        sink.end();
    }

    private static void tellMachines(ChangeSink sink) {
        AgentIdentity agent = new AgentIdentity("boot", "127.0.0.1:9", 10_000);
        sink.machineRegistered(0, "m", Amounts.of(4_000, 8_192), Map.of("rack", "r1"), agent);
        sink.machineRenewed(0, Amounts.of(4_000), Map.of(), null);
        Members gpus = Members.NONE.with(3, MemberSet.run(0, 7));
        sink.machineRegistered(1, "g", Amounts.of(4_000).naming(gpus), Map.of(), null);
        sink.machineMarked(0, true, false);
        sink.machineDrained(0, new Drain(new CellTime(61_000), Drain.BatchTasks.MOVE));
        sink.machineDrained(0, null);
        sink.machineRemoved(3);
    }

    private static void tellJobs(ChangeSink sink) {
        GroupHeader group = new GroupHeader("main", 10, Amounts.of(1), Restart.BATCH);
        JobHeader header = new JobHeader(
                "j",
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
        sink.jobSubmitted(header, Specification.of(new byte[] {1, 2, 3}), 2, 9);
        sink.jobUpdated(5, header, Specification.EMPTY);
        sink.jobStopped(5, TaskReason.KILLED);
        sink.jobStopped(6, TaskReason.TOO_MANY_FAILURES);
        sink.jobGrace(6, 10_000);
        sink.jobScaled(5, 1, 700);
        sink.jobCountAsked(5, 1, 800);
        sink.jobForgotten(6);
        sink.jobProgress(5, Progress.of(new byte[] {4, 5}));
        sink.jobTried(5, 1);
        GroupPlacements two = GroupPlacements.of(3, 17, 0);
        two.add(4, 16, 1);
        sink.tasksPlaced(5, 0, two);
        GroupPlacements queued = GroupPlacements.of(7, 17, 2);
        queued.add(7, 16, 3);
        sink.tasksQueued(5, 0, queued);
        GroupPlacements spare = GroupPlacements.of(8, 17, 4);
        spare.add(9, 15, 7);
        sink.spareTasksPlaced(5, 0, spare);
        sink.taskUpgraded(5, 0, 9);
        sink.taskCopied(5, 0, 8);
        sink.taskEvicted(5, 0, 4, 5);
        sink.taskEvicted(5, 0, 3, -1);
        sink.tasksPlaced(6, 1, GroupPlacements.of(2, 15, 5));
        sink.tasksStepped(
                6,
                1,
                new TaskSteps()
                        .begin(TaskState.FAILED, TaskReason.TIMEOUT, -1, 1_000, 2_000)
                        .add(2));
        sink.taskAgain(6, 1, 2);
        sink.taskForgotten(6, 1, 9);
        sink.itemRefused(
                6,
                1,
                7,
                -1,
                new ItemResult(
                        ItemKind.CLAIM,
                        false,
                        true,
                        OptionalInt.empty(),
                        Optional.of(Reason.DOES_NOT_FIT),
                        OptionalInt.of(1),
                        1_024,
                        512,
                        OptionalInt.empty(),
                        Optional.of(new Origin(new TransactionId("t0"), "web", 0, 6))));
    }

    static final PoolPolicy POLICY = new PoolPolicy(
            3, Amounts.of(2_000), Limits.of(4_000, Limits.UNLIMITED, 0), PoolPolicy.Order.FIFO, 30_000, 60_000);
    static final Rights RIGHTS_ON_SPARE = new Rights(90, List.of(), true, Rights.Evicts.OWN, List.of(), true, 25);
    static final Rights RIGHTS_ON_MACHINES = new Rights(
            90,
            List.of("prod"),
            true,
            Rights.Evicts.LOWER,
            List.of(
                    new MachineRule("rack", MachineRule.Operator.IN, List.of("r1", "r2")),
                    new MachineRule("gpu", MachineRule.Operator.ABSENT, List.of())),
            false);

    private AllChanges() {}
}
