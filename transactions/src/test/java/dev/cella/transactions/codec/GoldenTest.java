package dev.cella.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Claim;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
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
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Principal;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The bytes of every command type ever released stay readable and mean the same. There is one file per feature level. A new
 * type adds a line at its end ({@code -Dcella.golden.write=true}), and no line ever changes.
 */
class GoldenTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/cella/transactions/golden");
    private static final Path FILE = FOLDER.resolve("level-1.txt");
    private static final Path SETS_FILE = FOLDER.resolve("level-2.txt");
    private static final Path UPDATED_VERSION_FILE = FOLDER.resolve("level-3.txt");
    private static final Path LEVEL_4_FILE = FOLDER.resolve("level-4.txt");
    private static final Path LEVEL_5_FILE = FOLDER.resolve("level-5.txt");
    private static final Path LEVEL_6_FILE = FOLDER.resolve("level-6.txt");
    private static final Path LEVEL_7_FILE = FOLDER.resolve("level-7.txt");
    private static final Path LEVEL_9_FILE = FOLDER.resolve("level-9.txt");
    private static final Path LEVEL_12_FILE = FOLDER.resolve("level-12.txt");
    private static final int COMMANDS_OF_THE_ENTRY = 17;
    private static final Principal PRINCIPAL = new Principal("operator@example");

    static final Token TOKEN = new Token(
            "batch",
            "0123456789abcdef".repeat(4),
            new TreeSet<>(List.of("schedule:batch", "submit")),
            new TreeSet<>(List.of("research/vision")),
            1_800_000_000_000L);

    private static Map<String, Command> commands() {
        JobId job = new JobId(300);
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put("FoundCell", new Command.FoundCell(new CellName("cella"), new Incarnation(0x0123456789ABCDEFL)));
        commands.put("RaiseFeatureLevel", new Command.RaiseFeatureLevel(2));
        commands.put("AddDimension", new Command.AddDimension(new Dimension("gpus", Dimension.Kind.SET)));
        commands.put(
                "PutMachine",
                new Command.PutMachine(
                        "m-001",
                        Amounts.of(4_000, 16_384, 0, 2),
                        new TreeMap<>(Map.of("rack", "r1", "zone", "ä")),
                        Optional.of(new AgentIdentity("boot-7", "127.0.0.1:9000", 10_000)),
                        true));
        commands.put("ChangeMachine", new Command.ChangeMachine(new MachineId(17), Command.MachineChange.REMOVE, true));
        commands.put("LoseMachine", new Command.LoseMachine(new MachineId(17)));
        commands.put("ContinueLoss", new Command.ContinueLoss(new MachineId(17)));
        commands.put("SubmitJob", submit());
        commands.put("StopJob", new Command.StopJob(job));
        commands.put("ContinueStop", new Command.ContinueStop(job));
        commands.put("ReportTask", report(job));
        commands.put(
                "OpenSession",
                new Command.OpenSession("batch", "one", "batch", 10_000, Optional.of(new SessionId(12))));
        commands.put("CloseSession", new Command.CloseSession(new SessionId(12)));
        commands.put("CommitTransaction", new Command.CommitTransaction(transaction(job)));
        commands.put(
                "CommitTransactionAskedInNames",
                new Command.CommitTransaction(Transaction.builder(new TransactionId("by-hand-1"), "batch")
                        .askedInNames(0x5b1e_09c4_0000_0001L)
                        .claim(new TaskId(job, 0, 3), 1, 7)
                        .build()));
        commands.put("PutPool", new Command.PutPool("research/vision", Limits.of(4_000, Limits.UNLIMITED, 0)));
        commands.put(
                "SetRights", new Command.SetRights("web", new Rights(90, List.of("prod"), false, Rights.Evicts.OWN)));
        commands.put("SubmitJobWithRules", submitWithRules());
        commands.put("ScaleGroup", new Command.ScaleGroup(job, 2, 1_000));
        commands.put("ForgetJob", new Command.ForgetJob(job));
        commands.put("DrainMachine", new Command.DrainMachine(new MachineId(17), 600_000, Drain.BatchTasks.MOVE));
        commands.put("ContinueDrain", new Command.ContinueDrain(new MachineId(17)));
        commands.put("CommitTransactionWithScales", new Command.CommitTransaction(transactionWithScales(job)));
        commands.put("PauseScheduler", new Command.PauseScheduler("batch", true));
        return commands;
    }

    /** Commands from level 2 on: amounts that name members. */
    private static Map<String, Command> commandsWithSets() {
        Amounts ports = Amounts.of(4_000, 16_384, 0, 1_001)
                .naming(Members.NONE.with(
                        3,
                        MemberSet.of(80, 443)
                                .plus(MemberSet.run(20_000, 20_997))
                                .plus(MemberSet.of(65_535))));
        Amounts asked = Amounts.of(500, 256, 0, 3).naming(Members.NONE.with(3, MemberSet.of(8_080)));
        GroupHeader group = new GroupHeader("main", 2, asked, Restart.BATCH);
        JobHeader header = new JobHeader(
                "web",
                JobType.SERVICE,
                "service",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put(
                "PutMachineWithMembers",
                new Command.PutMachine("m-001", ports, new TreeMap<>(), Optional.empty(), false));
        commands.put(
                "SubmitJobWithMembers", new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
        commands.put(
                "CommitTransactionWithMembers",
                new Command.CommitTransaction(Transaction.builder(new TransactionId("set-1"), "service")
                        .basis(new CellVersion(4_711))
                        .claim(new Claim(new TaskId(new JobId(300), 0, 1), 1, 7, List.of(), Optional.of(asked)))
                        .hold(new HoldRequest(new JobId(300), 7, asked, 30_000))
                        .build()));
        return commands;
    }

    /** Commands from level 3 on: an update that requires one version. */
    private static Map<String, Command> commandsOfVersions() {
        Command.SubmitJob submit = (Command.SubmitJob) submit();
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put("SubmitJobOfVersion", ofVersion(submit, 4_711));
        commands.put("SubmitJobIfThereIsNone", ofVersion(submit, 0));
        return commands;
    }

    /** Commands from level 4 on. */
    private static Map<String, Command> commandsOfLevel4() {
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put(
                "FoundCellAtLevel",
                new Command.FoundCell(new CellName("cella"), new Incarnation(0x0123456789ABCDEFL), 4));
        commands.put(
                "OpenSessionWithOffers",
                new Command.OpenSession(
                        "bags",
                        "one",
                        "bags",
                        10_000,
                        Optional.of(new SessionId(12)),
                        Optional.of(new Participation("science", 3, Amounts.of(500, 256)))));
        commands.put("EndOffer", new Command.EndOffer(new OfferId(4_711, 2), 5_000));
        commands.put("WantOffers", new Command.WantOffers("bags", false));
        commands.put(
                "CommitTransactionWithOffers",
                new Command.CommitTransaction(Transaction.builder(new TransactionId("offer-1"), "offers")
                        .basis(new CellVersion(4_711))
                        .hold(HoldRequest.offer(new SessionId(12), 7, Amounts.of(500, 256), 30_000))
                        .offer(new OfferId(4_700, 1))
                        .keepsOffers(true)
                        .rescind(new OfferId(4_600, 0))
                        .build()));
        commands.put("DefinePool", new Command.DefinePool("research/vision", AllChanges.POLICY));
        commands.put("RemovePool", new Command.RemovePool("research/vision"));
        commands.put("SetRightsOnMachines", new Command.SetRights("web", AllChanges.RIGHTS_ON_MACHINES));

        commands.put("PutToken", new Command.PutToken(TOKEN));
        commands.put("RevokeToken", new Command.RevokeToken("batch"));
        commands.put("ReportTasks", new Command.ReportTasks(List.of(report(new JobId(300)), report(new JobId(1)))));
        return commands;
    }

    /** Commands from level 5 on: claims of other kinds. */
    private static Map<String, Command> commandsOfLevel5() {
        TaskId task = new TaskId(new JobId(300), 1, 7);
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put(
                "CommitTransactionOfKinds",
                new Command.CommitTransaction(Transaction.builder(new TransactionId("sparrow-1"), "sparrow")
                        .basis(new CellVersion(4_711))
                        .atomicity(Atomicity.ALL_OR_NOTHING)
                        .claim(task, 2, 7)
                        .kind(ClaimKind.QUEUE)
                        .claim(new Claim(task, 2, 8, List.of(9), Optional.empty(), ClaimKind.QUEUE))
                        .claim(new TaskId(new JobId(300), 1, 8), 2, 9)
                        .claim(new TaskId(new JobId(300), 1, 9), 2, 10)
                        .kind(ClaimKind.START)
                        .claim(new TaskId(new JobId(300), 1, 10), 2, 11)
                        .kind(ClaimKind.SPARE)
                        .build()));
        return commands;
    }

    /** Commands from level 6 on: a stop with a grace. */
    private static Map<String, Command> commandsOfLevel6() {
        return Map.of("StopJobWithGrace", new Command.StopJob(new JobId(300), OptionalLong.of(10_000)));
    }

    /** Commands from level 7 on: an upgrade of a spare task, a bound of spare tasks, and a scale that expects a count. */
    private static Map<String, Command> commandsOfLevel7() {
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put(
                "CommitTransactionThatUpgrades",
                new Command.CommitTransaction(Transaction.builder(new TransactionId("apollo-1"), "apollo")
                        .basis(new CellVersion(4_711))
                        .step(new Step(Step.Kind.UPGRADE, new TaskId(new JobId(300), 1, 7), 2))
                        .build()));
        commands.put("SetRightsOnSpare", new Command.SetRights("apollo", AllChanges.RIGHTS_ON_SPARE));
        commands.put(
                "CommitTransactionThatExpects",
                new Command.CommitTransaction(Transaction.builder(new TransactionId("roll-8"), "service")
                        .basis(new CellVersion(4_711))
                        .scale(new Scale(new JobId(300), 1, 4, 9, OptionalInt.of(8)))
                        .scale(new Scale(new JobId(301), 0, 1, 3))
                        .build()));
        return commands;
    }

    /** Commands from level 9 on: a copy of a task. */
    private static Map<String, Command> commandsOfLevel9() {
        return Map.of(
                "CommitTransactionThatCopies",
                new Command.CommitTransaction(Transaction.builder(new TransactionId("apollo-2"), "apollo")
                        .basis(new CellVersion(4_711))
                        .step(new Step(Step.Kind.COPY, new TaskId(new JobId(300), 1, 7), 2))
                        .build()));
    }

    /** Commands from level 12 on: how a running attempt stands with its check. */
    private static Map<String, Command> commandsOfLevel12() {
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put("ReportTaskThatAwaitsItsCheck", reportOfCheck(TaskReason.AWAITS_CHECK));
        commands.put("ReportTaskThatIsChecked", reportOfCheck(TaskReason.CHECKED));
        return commands;
    }

    private static Command.ReportTask reportOfCheck(TaskReason check) {
        return new Command.ReportTask(
                new TaskId(new JobId(300), 0, 999),
                3,
                Optional.of(new PlacementId(512, 7)),
                TaskState.RUNNING,
                OptionalInt.empty(),
                check,
                OptionalLong.of(1_700_000_000_000L),
                OptionalLong.empty());
    }

    private static Command ofVersion(Command.SubmitJob submit, long version) {
        return new Command.SubmitJob(submit.header(), submit.specification(), submit.mode(), OptionalLong.of(version));
    }

    private static Command submit() {
        GroupHeader group = new GroupHeader("main", 1_000, Amounts.of(500, 256), new Restart(2, 1_000, 60_000));
        JobHeader header = new JobHeader(
                "render",
                JobType.SERVICE,
                "service",
                "research/vision",
                70,
                Atomicity.ALL_OR_NOTHING,
                ConflictRule.MACHINE,
                List.of(group));
        return new Command.SubmitJob(
                header, Specification.of("{}".getBytes(StandardCharsets.UTF_8)), Command.SubmitMode.CREATE_OR_UPDATE);
    }

    private static Command submitWithRules() {
        GroupHeader plain = new GroupHeader("main", 3, Amounts.of(500, 256), Restart.BATCH);
        GroupHeader gang = new GroupHeader(
                "gang",
                1_000,
                Amounts.of(500, 256),
                Restart.BATCH,
                900,
                7,
                OnLost.WAIT,
                Optional.of(new Gang(800, 30_000, Gang.Restarts.ONE)));
        JobHeader header = new JobHeader(
                "simulate",
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(plain, gang));
        return new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE);
    }

    private static Command.ReportTask report(JobId job) {
        return new Command.ReportTask(
                new TaskId(job, 0, 999),
                3,
                Optional.of(new PlacementId(512, 7)),
                TaskState.FAILED,
                OptionalInt.of(-9),
                TaskReason.TIMEOUT,
                OptionalLong.of(1_700_000_000_000L),
                OptionalLong.empty());
    }

    private static Transaction transaction(JobId job) {
        return Transaction.builder(new TransactionId("01J-tx"), "service")
                .session(new SessionId(12))
                .incarnation(new Incarnation(-1))
                .basis(new CellVersion(4_711))
                .machinesAsOf(new CellVersion(4_712))
                .atomicity(Atomicity.ALL_OR_NOTHING)
                .conflictRule(ConflictRule.MACHINE)
                .seesOwn(true)
                .minClaims(1)
                .claim(new Claim(new TaskId(job, 0, 10), 2, 130, List.of(7, 8), Optional.empty()))
                .claim(new Claim(new TaskId(job, 1, 11), 2, 3, List.of(), Optional.of(Amounts.of(500, 256))))
                .evict(new Eviction(new TaskId(new JobId(5), 0, 1), 1, OptionalInt.of(0)))
                .hold(new HoldRequest(job, 9, Amounts.of(500), 30_000))
                .step(new Step(Step.Kind.STOP, new TaskId(job, 0, 12), 0))
                .build();
    }

    private static Transaction transactionWithScales(JobId job) {
        return Transaction.builder(new TransactionId("roll-7"), "service")
                .basis(new CellVersion(4_711))
                .step(new Step(Step.Kind.REPLACE, new TaskId(job, 0, 12), 3))
                .scale(new Scale(job, 1, 4, 900))
                .progress(job, Progress.of("canary passed".getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    private static EntryHeader header() {
        return new EntryHeader(1, new CellTime(123_456), 1_700_000_000_000L, new Incarnation(42));
    }

    @Test
    void commands_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(FILE, commands());
        assertThat(read(FILE)).hasSize(commands().size() + 1);
    }

    @Test
    void commandsOfLevel2_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(SETS_FILE, commandsWithSets());
        assertThat(read(SETS_FILE)).hasSameSizeAs(commandsWithSets());
    }

    @Test
    void commandsOfLevel3_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(UPDATED_VERSION_FILE, commandsOfVersions());
        assertThat(read(UPDATED_VERSION_FILE)).hasSameSizeAs(commandsOfVersions());
    }

    @Test
    void commandsOfLevel4_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(LEVEL_4_FILE, commandsOfLevel4());
        assertThat(read(LEVEL_4_FILE)).hasSameSizeAs(commandsOfLevel4());
    }

    @Test
    void commandsOfLevel5_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(LEVEL_5_FILE, commandsOfLevel5());
        assertThat(read(LEVEL_5_FILE)).hasSameSizeAs(commandsOfLevel5());
    }

    @Test
    void commandsOfLevel6_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(LEVEL_6_FILE, commandsOfLevel6());
        assertThat(read(LEVEL_6_FILE)).hasSameSizeAs(commandsOfLevel6());
    }

    @Test
    void commandsOfLevel7_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(LEVEL_7_FILE, commandsOfLevel7());
        assertThat(read(LEVEL_7_FILE)).hasSameSizeAs(commandsOfLevel7());
    }

    @Test
    void commandsOfLevel9_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(LEVEL_9_FILE, commandsOfLevel9());
        assertThat(read(LEVEL_9_FILE)).hasSameSizeAs(commandsOfLevel9());
    }

    @Test
    void commandsOfLevel12_asEverReleased_readTheSameAndAreWrittenTheSame() throws IOException {
        assertReadsTheSame(LEVEL_12_FILE, commandsOfLevel12());
        assertThat(read(LEVEL_12_FILE)).hasSameSizeAs(commandsOfLevel12());
    }

    /** Runs of members that touch, overlap or leave the range are refused, wherever the bytes are damaged. */
    @Test
    void membersOutOfOrder_areRefused() {
        Map<String, int[]> wrong = Map.of(
                "touching",
                new int[] {1, 2, 3, 4},
                "overlapping",
                new int[] {1, 5, 4, 6},
                "backwards",
                new int[] {5, 4},
                "too large",
                new int[] {0, MemberSet.MEMBER_MAX + 1},
                "negative",
                new int[] {-1, 0});
        wrong.forEach((name, ends) -> assertThatThrownBy(() -> MemberSet.ofRuns(ends))
                .as(name)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no run of members"));
    }

    private static void assertReadsTheSame(Path file, Map<String, Command> commands) throws IOException {
        if (Boolean.getBoolean("cella.golden.write")) {
            write(file, commands);
        }
        Map<String, byte[]> golden = read(file);
        commands.forEach((name, command) -> {
            byte[] bytes = golden.getOrDefault(name, new byte[0]);
            assertThat(CommandCodec.encode(PRINCIPAL, command)).as(name).isEqualTo(bytes);
            AskedCommand asked = CommandCodec.decode(bytes);
            assertThat(asked.principal()).isEqualTo(PRINCIPAL);
            assertThat(CommandCodec.encode(PRINCIPAL, asked.command())).as(name).isEqualTo(bytes);
            assertThat(CommandCodec.encode(PRINCIPAL, CommandCodec.decodeCommand(bytes)))
                    .as(name)
                    .isEqualTo(bytes);
        });
        assertThat(golden.keySet()).containsAll(commands.keySet());
    }

    @Test
    void entry_asEverReleased_readsTheSame() throws IOException {
        byte[] bytes = read(FILE).getOrDefault("Entry", new byte[0]);
        Entry entry = EntryCodec.decode(bytes);
        assertThat(entry.header()).isEqualTo(header());
        assertThat(entry.commands()).hasSize(COMMANDS_OF_THE_ENTRY);
        assertThat(EntryCodec.encode(entry.header(), entry.commands())).isEqualTo(bytes);
    }

    /** Any changed byte of an entry is detected. */
    @Test
    void entry_withAnyByteDamaged_isRefused() throws IOException {
        byte[] bytes = read(FILE).getOrDefault("Entry", new byte[0]);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assertThat(refused(damaged)).as("byte " + at).isTrue();
        }
    }

    @Test
    void entry_cutAnywhere_isRefused() throws IOException {
        byte[] bytes = read(FILE).getOrDefault("Entry", new byte[0]);
        for (int length = 0; length < bytes.length; length++) {
            assertThat(refused(Arrays.copyOf(bytes, length)))
                    .as("cut at " + length)
                    .isTrue();
        }
    }

    private static boolean refused(byte[] bytes) {
        try {
            EntryCodec.decode(bytes);
            return false;
        } catch (DamagedBytesException | UnknownLevelException refusal) {
            return true;
        }
    }

    private static void write(Path file, Map<String, Command> commands) throws IOException {
        Map<String, byte[]> golden = Files.exists(file) ? read(file) : Map.of();
        StringBuilder more = new StringBuilder();
        commands.forEach((name, command) -> {
            if (!golden.containsKey(name)) {
                byte[] bytes = CommandCodec.encode(PRINCIPAL, command);
                more.append(name)
                        .append(' ')
                        .append(HexFormat.of().formatHex(bytes))
                        .append('\n');
            }
        });
        Files.writeString(file, more, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static Map<String, byte[]> read(Path file) throws IOException {
        Map<String, byte[]> golden = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            int blank = line.indexOf(' ');
            golden.put(line.substring(0, blank), HexFormat.of().parseHex(line.substring(blank + 1)));
        }
        return golden;
    }
}
