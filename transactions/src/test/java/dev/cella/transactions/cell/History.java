package dev.cella.transactions.cell;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Claim;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Token;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes one command after another from a seed. It reads the cell only to keep most commands plausible. There are so few
 * machines and jobs that the commands interact often; it also uses old bases, retries, wrong versions and unknown slots.
 */
final class History {
    private static final List<String> SCHEDULERS = List.of("batch", "web");
    private static final List<String> POOLS = List.of("default", "a", "a/b", "a/c", "a/b/d");
    private static final Step.Kind[] STEPS = {
        Step.Kind.AGAIN,
        Step.Kind.AGAIN,
        Step.Kind.AGAIN,
        Step.Kind.STOP,
        Step.Kind.REPLACE,
        Step.Kind.UPGRADE,
        Step.Kind.COPY,
        Step.Kind.COPY
    };
    private static final TaskState[] STATES = TaskState.values();
    private static final TaskReason[] REASONS = {
        TaskReason.NONE,
        TaskReason.NONE,
        TaskReason.TIMEOUT,
        TaskReason.KILLED,
        TaskReason.DRAINED,
        TaskReason.AWAITS_CHECK,
        TaskReason.CHECKED
    };

    private static final List<String> CORES = List.of("4", "4.0", "8", "many");
    private static final Dimension PORTS = new Dimension("ports", Dimension.Kind.SET);
    private static final int PORT_MAX = 5;

    private final Random random;
    private final boolean hasSets;
    private final boolean hasOffers;
    private final boolean hasQueues;
    private final boolean hasSpare;
    private final int foundedAt;
    private final int raisedAfter;
    private CellView view;
    private Cell cell;
    private final List<Transaction> sent = new ArrayList<>();
    private int transactions;

    History(long seed, Cell cell) {
        this.random = new Random(seed);
        this.hasSets = random.nextBoolean();
        this.hasOffers = random.nextInt(3) == 0;
        this.hasQueues = random.nextInt(3) == 0;
        this.hasSpare = random.nextInt(3) == 0;
        this.foundedAt = random.nextInt(3) == 0 ? 1 : EntryCodec.FEATURE_LEVEL_MAX;
        this.raisedAfter = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(200);
        this.cell = cell;
        this.view = cell.view();
    }

    /** Goes on with a cell that has the same state. */
    void moveTo(Cell same) {
        cell = same;
        view = same.view();
    }

    Command next() {
        if (!view.isFounded()) {
            return new Command.FoundCell(new CellName("test"), new Incarnation(7), foundedAt);
        }
        if (hasSets && view.dimensions().find(PORTS.name()) < 0) {
            return view.featureLevel() < 2 ? new Command.RaiseFeatureLevel(2) : new Command.AddDimension(PORTS);
        }
        if (view.featureLevel() < EntryCodec.FEATURE_LEVEL_MAX && view.version().number() > raisedAfter) {
            return new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX);
        }
        List<Command> due = cell.followUps();
        checkInvariant(cell.hasFollowUps() == !due.isEmpty(), "hasFollowUps contradicts %d follow-ups", due.size());
        if (!due.isEmpty() && random.nextInt(3) == 0) {
            return due.get(0);
        }
        int dice = random.nextInt(100);
        if (dice < 45) {
            return new Command.CommitTransaction(transaction());
        } else if (dice < 70) {
            return random.nextInt(4) == 0 ? reports() : report();
        } else if (dice < 78) {
            return machine();
        } else if (dice < 83) {
            return changeMachine();
        } else if (dice < 92) {
            return job();
        } else if (dice < 95) {
            return jobChange();
        } else if (dice < 97) {
            return hasOffers && random.nextInt(3) == 0 ? offer() : session();
        }
        return rare();
    }

    private Command rare() {
        return switch (random.nextInt(20)) {
            case 17, 18 -> new Command.PutToken(token());
            case 19 -> new Command.RevokeToken("p" + random.nextInt(3));
            case 4, 5, 6, 7, 8 -> new Command.PutPool(POOLS.get(random.nextInt(POOLS.size())), limits());
            case 9, 10, 11, 12 -> new Command.SetRights(scheduler(), rights());
            case 14, 15 -> new Command.DefinePool(POOLS.get(random.nextInt(POOLS.size())), policy());
            case 16 -> new Command.RemovePool(POOLS.get(random.nextInt(POOLS.size())));
            case 13 -> new Command.PauseScheduler(scheduler(), random.nextBoolean());
            case 0 -> new Command.FoundCell(new CellName("again"), new Incarnation(8));
            case 1 -> new Command.RaiseFeatureLevel(1 + random.nextInt(EntryCodec.FEATURE_LEVEL_MAX + 1));
            case 2 -> new Command.AddDimension(new Dimension("gpus", Dimension.Kind.COUNT));
            case 3 -> new Command.AddDimension(PORTS);
            default -> new Command.CloseSession(new SessionId(someVersion()));
        };
    }

    private Limits limits() {
        if (random.nextInt(4) == 0) {
            return Limits.NONE;
        }
        return Limits.of(random.nextInt(10), random.nextBoolean() ? Limits.UNLIMITED : random.nextInt(12));
    }

    private PoolPolicy policy() {
        Limits limits = limits();
        PoolPolicy.Order order = random.nextBoolean() ? PoolPolicy.Order.FAIR : PoolPolicy.Order.FIFO;
        return new PoolPolicy(
                1 + random.nextInt(3), minimum(limits), limits, order, random.nextInt(2), random.nextInt(2));
    }

    private Amounts minimum(Limits limits) {
        long[] minimum = new long[random.nextInt(4)];
        Arrays.setAll(minimum, place -> random.nextLong(Math.min(3, limits.at(place)) + 1));
        return Amounts.of(minimum);
    }

    private List<MachineRule> rules() {
        if (view.featureLevel() < EntryCodec.POLICY_LEVEL ? random.nextInt(20) > 0 : random.nextInt(3) > 0) {
            return List.of();
        }
        return random.nextInt(3) == 0 ? List.of(rule(), rule()) : List.of(rule());
    }

    private MachineRule rule() {
        MachineRule.Operator[] operators = MachineRule.Operator.values();
        MachineRule.Operator operator = operators[random.nextInt(operators.length)];
        String attribute = List.of("rack", "cores", MachineRule.MACHINE).get(random.nextInt(3));
        return new MachineRule(
                attribute,
                operator,
                switch (operator) {
                    case EQ, NE -> List.of(value(attribute));
                    case IN, NOT_IN ->
                        random.nextBoolean() ? List.of(value(attribute)) : List.of("r0", value(attribute));
                    case GT, LT -> List.of(CORES.get(random.nextInt(3)));
                    case EXISTS, ABSENT -> List.of();
                });
    }

    /** A machine's or a rule's; some numbers of cores are equal but written in two ways, and one is no number. */
    private String value(String attribute) {
        return switch (attribute) {
            case "rack" -> "r" + random.nextInt(2);
            case "cores" -> CORES.get(random.nextInt(CORES.size()));
            default -> "m" + random.nextInt(3);
        };
    }

    private Rights rights() {
        if (random.nextInt(3) == 0) {
            return Rights.UNSET;
        }
        List<String> pools = random.nextInt(3) == 0 ? List.of("a", "default") : List.of();
        Rights.Evicts[] evicts = Rights.Evicts.values();
        return new Rights(
                10 + random.nextInt(90),
                pools,
                random.nextBoolean(),
                evicts[random.nextInt(evicts.length)],
                rules(),
                mayOffer(),
                sparePercent());
    }

    private boolean mayOffer() {
        return random.nextInt(view.featureLevel() < EntryCodec.POLICY_LEVEL ? 20 : 4) > 0;
    }

    private int sparePercent() {
        boolean mayBound = hasSpare && (view.featureLevel() >= EntryCodec.SPARE_LEVEL || random.nextInt(20) == 0);
        return mayBound ? random.nextInt(Rights.SPARE_UNLIMITED + 1) : Rights.SPARE_UNLIMITED;
    }

    /** So few that one takes the place of another, sometimes with the same secret. */
    private Token token() {
        TreeSet<String> scopes = new TreeSet<>(Set.of(random.nextBoolean() ? "read" : "schedule:" + scheduler()));
        TreeSet<String> pools = new TreeSet<>();
        if (random.nextInt(3) == 0) {
            scopes.add("submit");
            pools.add(POOLS.get(random.nextInt(POOLS.size())));
        }
        String hash = String.valueOf(random.nextInt(3)).repeat(Token.HASH_LENGTH);
        return new Token("p" + random.nextInt(3), hash, scopes, pools, random.nextInt(2) * 5_000L);
    }

    // ---- machines

    private Command machine() {
        String name = "m" + random.nextInt(5);
        Amounts capacity = Amounts.of(random.nextInt(9), random.nextInt(9), random.nextInt(4));
        Optional<AgentIdentity> agent = random.nextInt(3) == 0
                ? Optional.empty()
                : Optional.of(new AgentIdentity("boot" + random.nextInt(2), "a", 1_000));
        TreeMap<String, String> attributes = new TreeMap<>();
        if (random.nextInt(5) == 0) {
            attributes.put("rack", value("rack"));
        }
        if (random.nextInt(5) == 0) {
            attributes.put("cores", value("cores"));
        }
        return new Command.PutMachine(name, havingPorts(capacity), attributes, agent, random.nextInt(3) == 0);
    }

    // ---- ports: there are so few that many commands want the same

    /** Names all ports that a machine has; sometimes one is missing. */
    private Amounts havingPorts(Amounts amounts) {
        return hasSets
                ? withPorts(amounts, somePorts(1 + random.nextInt(PORT_MAX + 1)), random.nextInt(30) / 29)
                : amounts;
    }

    /** Names some ports; the request may want more ports than it names. */
    private Amounts askingPorts(Amounts amounts) {
        return hasSets && random.nextInt(4) > 0
                ? withPorts(amounts, somePorts(random.nextInt(3)), random.nextInt(3))
                : amounts;
    }

    private MemberSet somePorts(int atMost) {
        int[] ports = new int[atMost];
        Arrays.setAll(ports, place -> random.nextInt(PORT_MAX + 1));
        return MemberSet.of(ports);
    }

    private Amounts withPorts(Amounts amounts, MemberSet named, int more) {
        int place = random.nextInt(60) == 0
                ? Dimensions.DISK_MIB
                : Math.max(0, view.dimensions().find(PORTS.name()));
        long[] values = new long[place + 1];
        Arrays.setAll(values, at -> at == place ? (long) named.size() + more : amounts.at(at));
        return Amounts.of(values).naming(Members.NONE.with(place, named));
    }

    private Command changeMachine() {
        MachineId machine = machineId();
        return switch (random.nextInt(9)) {
            case 7 ->
                new Command.DrainMachine(
                        machine,
                        random.nextInt(30),
                        random.nextBoolean() ? Drain.BatchTasks.MOVE : Drain.BatchTasks.FINISH);
            case 8 -> new Command.ContinueDrain(machine);
            case 0 -> new Command.ChangeMachine(machine, Command.MachineChange.DRAIN, false);
            case 1, 2 -> new Command.ChangeMachine(machine, Command.MachineChange.READY, false);
            case 3 -> new Command.ChangeMachine(machine, Command.MachineChange.REMOVE, random.nextBoolean());
            case 4 -> new Command.ContinueLoss(machine);
            default -> new Command.LoseMachine(machine);
        };
    }

    private MachineId machineId() {
        int slot = slot();
        return view.machineExists(slot) ? view.machineId(slot) : new MachineId(someVersion());
    }

    private int slot() {
        return random.nextInt(view.machineSlots() + 1);
    }

    private long someVersion() {
        return 1L + random.nextInt((int) view.version().number() + 2);
    }

    // ---- jobs

    private Command job() {
        List<GroupHeader> groups = new ArrayList<>();
        for (int group = random.nextInt(3); group >= 0; group--) {
            Amounts shape = Amounts.of(1 + random.nextInt(4), random.nextInt(4), random.nextInt(8) == 0 ? 1 : 0);
            Restart restart = new Restart(random.nextInt(3), random.nextInt(2), 1 + random.nextInt(2));
            int runningMax = random.nextInt(5) == 0 ? 2 + random.nextInt(2) : 0;
            groups.add(new GroupHeader(
                    "g" + groups.size(),
                    1 + random.nextInt(4),
                    askingPorts(shape),
                    restart,
                    runningMax,
                    random.nextInt(5) == 0 ? 1 : 0,
                    random.nextInt(5) == 0 ? OnLost.WAIT : OnLost.REPLACE,
                    random.nextInt(5) == 0 ? Optional.of(gang(runningMax)) : Optional.empty()));
        }
        JobHeader header = new JobHeader(
                "j" + random.nextInt(6),
                random.nextInt(4) == 0 ? JobType.SERVICE : JobType.BATCH,
                scheduler(),
                POOLS.get(random.nextInt(POOLS.size())),
                random.nextInt(4) * 10,
                random.nextInt(4) == 0 ? Atomicity.ALL_OR_NOTHING : Atomicity.INCREMENTAL,
                random.nextInt(4) == 0 ? ConflictRule.MACHINE : ConflictRule.RESOURCE,
                groups);
        return new Command.SubmitJob(
                header,
                Specification.of(new byte[random.nextInt(2)]),
                random.nextBoolean() ? Command.SubmitMode.CREATE : Command.SubmitMode.CREATE_OR_UPDATE,
                checkVersion(header.name()));
    }

    private Gang gang(int runningMax) {
        int min = 1 + random.nextInt(runningMax == 0 ? 3 : 2);
        return new Gang(min, random.nextInt(2), random.nextBoolean() ? Gang.Restarts.ALL : Gang.Restarts.ONE);
    }

    /** Mostly the right version, if the job exists. */
    private OptionalLong checkVersion(String job) {
        boolean isKnown = view.featureLevel() >= EntryCodec.UPDATED_VERSION_LEVEL;
        if (random.nextInt(isKnown ? 2 : 40) > 0) {
            return OptionalLong.empty();
        }
        return switch (random.nextInt(6)) {
            case 0 -> OptionalLong.of(0);
            case 1 -> OptionalLong.of(someVersion());
            default -> OptionalLong.of(view.job(job).map(JobRow::updatedVersion).orElse(0L));
        };
    }

    private Command jobChange() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> new Command.StopJob(jobId(), grace());
            case 2 -> new Command.ContinueStop(jobId());
            case 3 -> new Command.ForgetJob(jobId());
            default -> new Command.ScaleGroup(jobId(), random.nextInt(3), random.nextInt(6));
        };
    }

    private OptionalLong grace() {
        boolean isKnown = view.featureLevel() >= EntryCodec.STOP_GRACE_LEVEL;
        return isKnown && random.nextBoolean() ? OptionalLong.of(random.nextInt(3)) : OptionalLong.empty();
    }

    private JobId jobId() {
        List<JobRow> jobs = new ArrayList<>(view.jobs());
        if (jobs.isEmpty() || random.nextInt(20) == 0) {
            return new JobId(someVersion());
        }
        int newest = Math.min(jobs.size(), 8);
        return jobs.get(jobs.size() - 1 - random.nextInt(newest)).id();
    }

    private TaskId task() {
        JobId job = jobId();
        int groups = view.job(job).map(row -> row.groups().size()).orElse(1);
        return new TaskId(job, random.nextInt(random.nextInt(20) == 0 ? 4 : groups), random.nextInt(4));
    }

    private int attempt(TaskId task) {
        int attempt = view.task(task).map(TaskRow::attempt).orElse(1);
        return Math.max(0, random.nextInt(15) == 0 ? attempt + random.nextInt(3) - 1 : attempt);
    }

    /** Some about one task twice, some alike. */
    private Command reports() {
        List<Command.ReportTask> reports = new ArrayList<>();
        for (int left = 1 + random.nextInt(6); left > 0; left--) {
            reports.add(report());
        }
        return new Command.ReportTasks(reports);
    }

    private Command.ReportTask report() {
        TaskId task = task();
        for (int again = 0; again < 3 && !isOnMachine(task); again++) {
            task = task();
        }
        Optional<PlacementId> placement = random.nextInt(4) == 0
                ? view.task(task).flatMap(TaskRow::placement)
                : random.nextInt(20) == 0
                        ? Optional.of(new PlacementId(someVersion(), random.nextInt(3)))
                        : Optional.empty();
        TaskReason reason = REASONS[random.nextInt(REASONS.length)];
        return new Command.ReportTask(
                task,
                Math.max(1, attempt(task)),
                placement,
                reason.isOfCheck() ? TaskState.RUNNING : STATES[random.nextInt(STATES.length)],
                random.nextBoolean() ? OptionalInt.of(random.nextInt(3)) : OptionalInt.empty(),
                reason,
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private boolean isOnMachine(TaskId task) {
        return view.task(task).map(row -> row.state().isOnMachine()).orElse(false);
    }

    // ---- sessions

    private Command session() {
        Optional<SessionId> renews =
                random.nextBoolean() ? Optional.empty() : Optional.of(new SessionId(sessionVersion()));
        Optional<Participation> offers = hasOffers && random.nextInt(3) == 0
                ? Optional.of(new Participation("role", 1 + random.nextInt(2), Amounts.of(random.nextInt(3))))
                : Optional.empty();
        return new Command.OpenSession(
                hasOffers && random.nextInt(4) == 0 ? "taker" : scheduler(),
                "i" + random.nextInt(2),
                "batch",
                1_000 + random.nextInt(2),
                renews,
                offers);
    }

    private Command offer() {
        return random.nextInt(3) == 0
                ? new Command.WantOffers(scheduler(), random.nextBoolean())
                : new Command.EndOffer(someOffer(), random.nextInt(2) * (long) random.nextInt(50));
    }

    private OfferId someOffer() {
        List<HoldRow> offers = new ArrayList<>(view.offers());
        return offers.isEmpty() || random.nextInt(8) == 0
                ? new OfferId(someVersion(), random.nextInt(2))
                : offers.get(random.nextInt(offers.size())).offer();
    }

    private long sessionVersion() {
        List<SessionRow> sessions = new ArrayList<>(view.sessions());
        return sessions.isEmpty() || random.nextInt(8) == 0
                ? someVersion()
                : sessions.get(random.nextInt(sessions.size())).id().version();
    }

    private String scheduler() {
        return SCHEDULERS.get(random.nextInt(10) < 7 ? 0 : 1);
    }

    // ---- transactions

    private Transaction transaction() {
        if (!sent.isEmpty() && random.nextInt(12) == 0) {
            return sent.get(sent.size() - 1 - random.nextInt(Math.min(sent.size(), 12)));
        }
        boolean reusesId = random.nextInt(40) == 0;
        TransactionId id = new TransactionId("t" + (reusesId ? random.nextInt(transactions + 1) : transactions++));
        Transaction.Builder builder = Transaction.builder(id, scheduler());
        modes(builder);
        List<Integer> claimed = new ArrayList<>();
        for (int claims = random.nextInt(5); claims > 0; claims--) {
            claimed.add(claim(builder));
        }
        boolean mayQueue = hasQueues && (view.featureLevel() >= EntryCodec.QUEUES_LEVEL || random.nextInt(20) == 0);
        for (int more = mayQueue ? random.nextInt(6) : 0; more > 0; more--) {
            claimOfAnotherKind(builder);
        }
        for (int more = hasSpare && view.featureLevel() >= EntryCodec.SPARE_LEVEL ? random.nextInt(4) : 0;
                more > 0;
                more--) {
            claim(builder, pendingTask(), slot(), ClaimKind.SPARE);
        }
        for (int eviction = random.nextInt(3); eviction > 0; eviction--) {
            evict(builder, claimed);
        }
        for (int step = random.nextInt(3); step > 0; step--) {
            step(builder);
        }
        scales(builder);
        offers(builder);
        if (random.nextInt(4) == 0 || claimed.isEmpty()) {
            hold(builder);
        }
        Transaction transaction = builder.minClaims(random.nextInt(6) == 0 ? random.nextInt(claimed.size() + 1) : 0)
                .build();
        sent.add(transaction);
        return transaction;
    }

    private void offers(Transaction.Builder builder) {
        if (!hasOffers) {
            return;
        }
        while (random.nextInt(3) == 0) {
            Amounts amounts = Amounts.of(1 + random.nextInt(4), random.nextInt(4));
            SessionId to = new SessionId(sessionVersion());
            builder.hold(HoldRequest.offer(to, slot(), askingPorts(amounts), 1L + random.nextInt(150)));
        }
        if (random.nextInt(4) == 0) {
            builder.offer(someOffer()).keepsOffers(random.nextInt(3) == 0);
        }
        if (random.nextInt(12) == 0) {
            builder.rescind(someOffer());
        }
    }

    /** Half of the holds are one more for a job that already has one on the machine. */
    private void hold(Transaction.Builder builder) {
        Optional<HoldRow> beside = random.nextBoolean() ? someHold() : Optional.empty();
        JobId job = beside.flatMap(HoldRow::job).map(JobRow::id).orElseGet(this::jobId);
        int slot = beside.map(HoldRow::slot).orElseGet(this::slot);
        Amounts wanted = Amounts.of(1 + random.nextInt(5), random.nextInt(4));
        builder.hold(new HoldRequest(job, slot, askingPorts(wanted), 1L + random.nextInt(150)));
    }

    private Optional<HoldRow> someHold() {
        List<HoldRow> holds = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            holds.addAll(view.holdsOn(slot));
        }
        return holds.isEmpty() ? Optional.empty() : Optional.of(holds.get(random.nextInt(holds.size())));
    }

    private void scales(Transaction.Builder builder) {
        while (random.nextInt(8) == 0) {
            JobId job = jobId();
            int generation = view.job(job).map(JobRow::generation).orElse(1);
            int group = random.nextInt(3);
            int named = Math.max(1, generation - random.nextInt(20) / 19);
            builder.scale(new Scale(job, group, named, random.nextInt(6), expected(job, group)));
        }
        if (random.nextInt(20) == 0) {
            builder.progress(jobId(), Progress.of(new byte[random.nextInt(4)]));
        }
    }

    /** Mostly the count that the group has. */
    private OptionalInt expected(JobId job, int group) {
        boolean isKnown = view.featureLevel() >= EntryCodec.EXPECTED_COUNT_LEVEL || random.nextInt(40) == 0;
        if (!isKnown || random.nextBoolean()) {
            return OptionalInt.empty();
        }
        int count = view.job(job)
                .filter(row -> group < row.groups().size())
                .map(row -> row.group(group).header().count())
                .orElse(0);
        return OptionalInt.of(random.nextInt(3) == 0 ? random.nextInt(6) : count);
    }

    private void modes(Transaction.Builder builder) {
        long now = view.version().number();
        long basis = random.nextInt(10) == 0 ? 0 : Math.max(0, now - random.nextInt(12));
        builder.basis(new CellVersion(random.nextInt(60) == 0 ? now + 3 : basis));
        if (random.nextInt(5) == 0) {
            builder.machinesAsOf(new CellVersion(now - random.nextInt((int) Math.min(now, 4))));
        }
        builder.atomicity(random.nextInt(4) == 0 ? Atomicity.ALL_OR_NOTHING : Atomicity.INCREMENTAL);
        builder.conflictRule(random.nextInt(3) == 0 ? ConflictRule.MACHINE : ConflictRule.RESOURCE);
        builder.seesOwn(random.nextBoolean());
        if (random.nextInt(50) == 0) {
            builder.incarnation(new Incarnation(6 + random.nextInt(2)));
        }
        if (random.nextInt(3) == 0) {
            builder.session(new SessionId(sessionVersion()));
        }
    }

    /** Returns the slot of its first choice. Sometimes picks a task of a job that has a hold, and its machine. */
    private int claim(Transaction.Builder builder) {
        Optional<HoldRow> held = random.nextInt(4) == 0 ? someHold() : Optional.empty();
        TaskId task = held.flatMap(HoldRow::job).map(this::taskOf).orElseGet(this::task);
        for (int again = 0; again < 4 && !isPending(task); again++) {
            task = held.flatMap(HoldRow::job).map(this::taskOf).orElseGet(this::task);
        }
        int slot = held.map(HoldRow::slot).orElseGet(this::slot);
        int generation = view.job(task.job()).map(JobRow::generation).orElse(1);
        List<Integer> alternates = new ArrayList<>();
        for (int alternate = random.nextInt(4) - 1; alternate > 0; alternate--) {
            alternates.add(slot());
        }
        Optional<Amounts> amounts = random.nextInt(8) != 0
                ? Optional.empty()
                : random.nextInt(3) == 0
                        ? Optional.of(Amounts.of(1))
                        : view.task(task).map(TaskRow::resources);
        builder.claim(new Claim(
                task, Math.max(1, random.nextInt(25) == 0 ? generation - 1 : generation), slot, alternates, amounts));
        return slot;
    }

    /** Mostly puts a task into a queue, or starts one that waits there. */
    private void claimOfAnotherKind(Transaction.Builder builder) {
        List<QueueRow> rows = queueRows();
        if (rows.isEmpty() || random.nextInt(3) > 0) {
            TaskId task = rows.isEmpty() || random.nextBoolean()
                    ? task()
                    : rows.get(random.nextInt(rows.size())).task();
            claim(builder, task, slot(), random.nextInt(20) == 0 ? ClaimKind.SPARE : ClaimKind.QUEUE);
            return;
        }
        QueueRow row = rows.get(random.nextInt(rows.size()));
        int slot = random.nextInt(12) == 0 ? slot() : row.slot();
        claim(builder, row.task(), slot, random.nextInt(8) == 0 ? ClaimKind.PLACE : ClaimKind.START);
    }

    private TaskId pendingTask() {
        TaskId task = task();
        for (int again = 0; again < 4 && !isPending(task); again++) {
            task = task();
        }
        return task;
    }

    private void claim(Transaction.Builder builder, TaskId task, int slot, ClaimKind kind) {
        int generation = view.job(task.job()).map(JobRow::generation).orElse(1);
        List<Integer> alternates = random.nextInt(6) == 0 ? List.of(slot()) : List.of();
        builder.claim(new Claim(task, Math.max(1, generation), slot, alternates, Optional.empty(), kind));
    }

    private List<QueueRow> queueRows() {
        List<QueueRow> rows = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            rows.addAll(view.queueOn(slot));
        }
        return rows;
    }

    private TaskId taskOf(JobRow job) {
        return new TaskId(job.id(), random.nextInt(job.groupCount()), random.nextInt(4));
    }

    private boolean isPending(TaskId task) {
        return view.task(task).map(row -> row.state() == TaskState.PENDING).orElse(false);
    }

    /** An eviction for a claim mostly picks a victim on the claim's machine. */
    private void evict(Transaction.Builder builder, List<Integer> claimed) {
        OptionalInt forClaim = claimed.isEmpty() || random.nextInt(4) == 0
                ? OptionalInt.empty()
                : OptionalInt.of(random.nextInt(claimed.size()));
        TaskId task = task();
        if (forClaim.isPresent() && random.nextInt(4) > 0) {
            task = someTaskOn(claimed.get(forClaim.getAsInt())).orElse(task);
        }
        for (int again = 0; again < 3 && !isOnMachine(task); again++) {
            task = task();
        }
        builder.evict(new Eviction(task, Math.max(1, attempt(task)), forClaim));
    }

    private Optional<TaskId> someTaskOn(int slot) {
        List<TaskId> tasks = new ArrayList<>();
        if (slot < view.machineSlots()) {
            view.forEachTaskOn(slot, task -> tasks.add(task.id()));
        }
        return tasks.isEmpty() ? Optional.empty() : Optional.of(tasks.get(random.nextInt(tasks.size())));
    }

    private void step(Transaction.Builder builder) {
        TaskId task = task();
        Step.Kind kind = STEPS[random.nextInt(STEPS.length)];
        boolean mayUpgrade = view.featureLevel() >= EntryCodec.SPARE_LEVEL || random.nextInt(20) == 0;
        boolean mayCopy = view.featureLevel() >= EntryCodec.COPIES_LEVEL || random.nextInt(20) == 0;
        if (kind == Step.Kind.UPGRADE) {
            kind = mayUpgrade ? kind : Step.Kind.STOP;
            for (int again = 0; again < 8 && !isSpare(task); again++) {
                task = task();
            }
        }
        if (kind == Step.Kind.COPY) {
            kind = mayCopy ? kind : Step.Kind.STOP;
            for (int again = 0; again < 6 && !isOnMachine(task); again++) {
                task = task();
            }
        }
        for (int again = 0; again < 3 && kind == Step.Kind.AGAIN && !isEnded(task); again++) {
            task = task();
        }
        builder.step(new Step(kind, task, attempt(task)));
    }

    private boolean isSpare(TaskId task) {
        return view.task(task).map(TaskRow::spare).orElse(false);
    }

    private boolean isEnded(TaskId task) {
        return view.task(task).map(row -> row.state().isEnded()).orElse(false);
    }
}
