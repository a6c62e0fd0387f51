package dev.cella.transactions.model;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Constructors refuse bad input. Tests the last number that is allowed, and the first one that is not. */
class BoundsTest {
    private static final JobId JOB = new JobId(1);
    private static final TaskId TASK = new TaskId(JOB, 0, 0);
    private static final Amounts CORE = Amounts.of(1_000);

    private static void fromTo(long least, long most, LongConsumer made) {
        assertThatCode(() -> made.accept(least)).doesNotThrowAnyException();
        assertThatCode(() -> made.accept(most)).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> made.accept(least - 1));
        assertThatIllegalArgumentException().isThrownBy(() -> made.accept(most + 1));
    }

    private static void from(long least, LongConsumer made) {
        assertThatCode(() -> made.accept(least)).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> made.accept(least - 1));
    }

    private static void upTo(int most, IntConsumer made) {
        assertThatCode(() -> made.accept(most)).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> made.accept(most + 1));
    }

    private static void names(IntConsumer ofLength) {
        upTo(63, ofLength);
        assertThatIllegalArgumentException().isThrownBy(() -> ofLength.accept(0));
    }

    private static String name(int length) {
        return "a".repeat(length);
    }

    private static <T> List<T> list(int size, IntFunction<T> each) {
        return IntStream.range(0, size).mapToObj(each).toList();
    }

    // ---- numbers

    @Test
    void amounts_limits_andDimensions() {
        fromTo(0, Amounts.AMOUNT_MAX, Amounts::of);
        fromTo(0, Amounts.AMOUNT_MAX, Limits::of);
        assertThatCode(() -> Limits.of(Limits.UNLIMITED)).doesNotThrowAnyException();
        upTo(Dimensions.SIZE_MAX, size -> Amounts.of(new long[size]));
        upTo(Dimensions.SIZE_MAX, size -> Limits.of(new long[size]));
        upTo(Dimensions.SIZE_MAX, size -> new Dimensions(list(size, BoundsTest::dimension)));
    }

    private static Dimension dimension(int place) {
        return new Dimension("d" + place, Dimension.Kind.COUNT);
    }

    @Test
    void identities_areCountedFromOne() {
        from(1, JobId::new);
        from(1, MachineId::new);
        from(1, SessionId::new);
        from(1, version -> new PlacementId(version, 0));
        from(0, ordinal -> new PlacementId(1, (int) ordinal));
        from(0, CellVersion::new);
        from(0, CellTime::new);
        fromTo(0, JobHeader.GROUPS_MAX - 1, group -> new TaskId(JOB, (int) group, 0));
        fromTo(0, JobHeader.TASKS_MAX - 1, index -> new TaskId(JOB, 0, (int) index));
    }

    @Test
    void itemsOfATransaction() {
        from(1, generation -> Claim.of(TASK, (int) generation, 0));
        from(0, machine -> Claim.of(TASK, 1, (int) machine));
        from(0, machine -> new Claim(TASK, 1, 0, List.of((int) machine), Optional.empty()));
        upTo(Claim.ALTERNATES_MAX, size -> new Claim(TASK, 1, 0, Collections.nCopies(size, 1), Optional.empty()));
        from(1, attempt -> new Eviction(TASK, (int) attempt, OptionalInt.empty()));
        from(0, attempt -> new Step(Step.Kind.STOP, TASK, (int) attempt));
        from(0, machine -> new HoldRequest(JOB, (int) machine, CORE, 1));
        fromTo(1, HoldRequest.EXPIRES_AFTER_MILLIS_MAX, millis -> new HoldRequest(JOB, 0, CORE, millis));
        assertThatIllegalArgumentException().isThrownBy(() -> new HoldRequest(JOB, 0, Amounts.NONE, 1));
        from(0, group -> new Scale(JOB, (int) group, 1, 1));
        from(1, generation -> new Scale(JOB, 0, (int) generation, 1));
        fromTo(0, JobHeader.TASKS_MAX, count -> new Scale(JOB, 0, 1, (int) count));
        fromTo(0, JobHeader.TASKS_MAX, count -> new Scale(JOB, 0, 1, 1, OptionalInt.of((int) count)));
        from(0, group -> new Command.ScaleGroup(JOB, (int) group, 1));
        fromTo(0, JobHeader.TASKS_MAX, count -> new Command.ScaleGroup(JOB, 0, (int) count));
    }

    @Test
    void aTransaction_hasOneItemAtLeastAndTenThousandAtMost() {
        fromTo(1, Transaction.CLAIMS_MAX, claims -> claims(0, (int) claims).build());
        fromTo(0, 3, min -> claims(0, 3).minClaims((int) min).build());
        fromTo(
                0,
                2,
                claim -> claims(0, 3)
                        .evict(new Eviction(TASK, 1, OptionalInt.of((int) claim)))
                        .build());
        upTo(Transaction.CLAIMS_MAX, jobs -> {
            Transaction.Builder transaction = claims(0, 0);
            IntStream.rangeClosed(1, jobs).forEach(job -> transaction.progress(new JobId(job), Progress.NONE));
            transaction.build();
        });
    }

    @Test
    void transaction_withTooManyItems_isRefusedWithTheirKind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims(0, Transaction.CLAIMS_MAX + 1).build())
                .withMessage("a transaction has 1 to 10000 items, not 10001");
        Transaction.Builder remembering = claims(0, 1);
        IntStream.rangeClosed(1, Transaction.CLAIMS_MAX + 1)
                .forEach(job -> remembering.progress(new JobId(job), Progress.NONE));
        assertThatIllegalArgumentException()
                .isThrownBy(remembering::build)
                .withMessage("a transaction remembers progress of at most 10000 jobs, not 10001");
    }

    private static Transaction.Builder claims(int from, int to) {
        Transaction.Builder transaction = Transaction.builder(new TransactionId("t"), "batch");
        IntStream.range(from, to).forEach(index -> transaction.claim(new TaskId(JOB, 0, index), 1, 0));
        return transaction;
    }

    // ---- jobs

    private static JobHeader job(String name, String scheduler, String pool, int priority, List<GroupHeader> groups) {
        return new JobHeader(
                name, JobType.BATCH, scheduler, pool, priority, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, groups);
    }

    private static GroupHeader group(String name, int count) {
        return new GroupHeader(name, count, CORE, Restart.BATCH);
    }

    private static List<GroupHeader> groups(int... counts) {
        return list(counts.length, place -> group("g" + place, counts[place]));
    }

    @Test
    void jobs_andTheirGroups() {
        names(length -> job(name(length), "batch", "default", 50, groups(1)));
        names(length -> job("j", name(length), "default", 50, groups(1)));
        names(length -> group(name(length), 1));
        fromTo(0, JobHeader.PRIORITY_MAX, priority -> job("j", "batch", "default", (int) priority, groups(1)));
        fromTo(1, JobHeader.GROUPS_MAX, size -> job("j", "batch", "default", 50, groups(new int[(int) size])));
        upTo(JobHeader.TASKS_MAX - 1, count -> job("j", "batch", "default", 50, groups(count, 1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job("j", "batch", "default", 50, List.of(group("g", 1), group("g", 1))));
        fromTo(0, JobHeader.TASKS_MAX, count -> group("g", (int) count));
        from(0, max -> bounded((int) max, 0));
        from(0, max -> bounded(0, (int) max));
        assertThatIllegalArgumentException().isThrownBy(() -> new GroupHeader("g", 1, Amounts.NONE, Restart.BATCH));
    }

    private static GroupHeader bounded(int runningMax, int failuresMax) {
        return new GroupHeader("g", 9, CORE, Restart.BATCH, runningMax, failuresMax, OnLost.WAIT, Optional.empty());
    }

    @Test
    void aGang_fitsItsGroup() {
        from(1, min -> new Gang((int) min, 0, Gang.Restarts.ALL));
        from(0, millis -> new Gang(1, millis, Gang.Restarts.ALL));
        upTo(
                4,
                min -> new GroupHeader(
                        "g",
                        9,
                        CORE,
                        Restart.BATCH,
                        4,
                        0,
                        OnLost.REPLACE,
                        Optional.of(new Gang(min, 0, Gang.Restarts.ALL))));
        from(0, attempts -> new Restart((int) attempts, 0, 0));
        from(0, millis -> new Restart(0, millis, 10));
        from(10, millis -> new Restart(0, 10, millis));
    }

    @Test
    void specificationsAndProgress_areBytesToTheCell() {
        upTo(Progress.BYTES_MAX, length -> Progress.of(new byte[length]));
        upTo(Specification.BYTES_MAX, length -> Specification.of(new byte[length]));
    }

    // ---- names and other text

    @Test
    void pools_areAPathOfNames() {
        upTo(253, length -> new Command.PutPool(path(length), Limits.NONE));
        upTo(253, length -> job("j", "batch", path(length), 50, groups(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Command.PutPool("a//b", Limits.NONE));
        assertThatIllegalArgumentException().isThrownBy(() -> new Command.PutPool("A", Limits.NONE));
    }

    private static String path(int length) {
        return IntStream.range(0, length)
                .mapToObj(at -> at % 50 == 49 ? "/" : "a")
                .collect(Collectors.joining());
    }

    @Test
    void rights_sessions_andPrincipals() {
        names(length -> new Command.SetRights(name(length), Rights.UNSET));
        names(length -> new Command.PauseScheduler(name(length), true));
        fromTo(0, JobHeader.PRIORITY_MAX, priority -> rights((int) priority, List.of()));
        upTo(1_000, size -> rights(50, Collections.nCopies(size, "p")));
        assertThatIllegalArgumentException().isThrownBy(() -> rights(50, List.of("/")));
        names(length -> session(name(length), "one", "batch", 1));
        names(length -> session("batch", name(length), "batch", 1));
        names(length -> session("batch", "one", name(length), 1));
        from(1, millis -> session("batch", "one", "batch", millis));
        fromTo(1, Principal.LENGTH_MAX, length -> new Principal(name((int) length)));
        names(length -> new CellName(name(length)));
        names(length -> Transaction.builder(new TransactionId("t"), name(length)));
    }

    private static Rights rights(int priorityMax, List<String> pools) {
        return new Rights(priorityMax, pools, true, Rights.Evicts.OWN);
    }

    private static Command session(String scheduler, String instance, String type, long leaseMillis) {
        return new Command.OpenSession(scheduler, instance, type, leaseMillis, Optional.empty());
    }

    @Test
    void machines_andTheirAgents() {
        fromTo(1, 253, length -> machine(name((int) length), 0, 0));
        upTo(Command.PutMachine.ATTRIBUTES_MAX, size -> machine("m", size, 1));
        upTo(Command.PutMachine.TEXT_MAX, length -> machine("m", 1, length));
        upTo(Command.PutMachine.TEXT_MAX, length -> machine("m", new TreeMap<>(Map.of(name(length), ""))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine("m", new TreeMap<>(Map.of("", "nameless"))))
                .withMessage("an attribute's name has 1 to 4096 characters and its value at most 4096");
        fromTo(1, 253, length -> new AgentIdentity(name((int) length), "", 1));
        upTo(253, length -> new AgentIdentity("boot", name(length), 1));
        from(1, millis -> new AgentIdentity("boot", "", millis));
        fromTo(
                0,
                Amounts.AMOUNT_MAX,
                millis -> new Command.DrainMachine(new MachineId(1), millis, Drain.BatchTasks.MOVE));
    }

    private static Command machine(String name, int attributes, int textLength) {
        TreeMap<String, String> of = new TreeMap<>();
        IntStream.range(0, attributes).forEach(place -> of.put("a" + place, name(textLength)));
        return machine(name, of);
    }

    private static Command machine(String name, SortedMap<String, String> attributes) {
        return new Command.PutMachine(name, CORE, attributes, Optional.empty(), false);
    }

    @Test
    void transactionIds_areSixtyFourBytesAtMost() {
        fromTo(1, TransactionId.BYTES_MAX, length -> new TransactionId(name((int) length)));
        upTo(TransactionId.BYTES_MAX / 2, length -> new TransactionId("é".repeat(length)));
        upTo(TransactionId.BYTES_MAX - 2, length -> new TransactionId("é" + name(length)));
        upTo(TransactionId.BYTES_MAX - 1, length -> new TransactionId(name(length) + "~"));
        assertThatIllegalArgumentException().isThrownBy(() -> new TransactionId("a\nb"));
        assertThatIllegalArgumentException().isThrownBy(() -> new TransactionId("a\u007f"));
    }

    @Test
    void reports() {
        from(1, attempt -> reportOf(1, 0, 0, (int) attempt, 0, 0));
        from(1, job -> reportOf(job, 0, 0, 1, 0, 0));
        fromTo(0, JobHeader.GROUPS_MAX - 1, group -> reportOf(1, (int) group, 0, 1, 0, 0));
        fromTo(0, JobHeader.TASKS_MAX - 1, index -> reportOf(1, 0, (int) index, 1, 0, 0));
        from(0, version -> reportOf(1, 0, 0, 1, version, 0));
        from(0, ordinal -> reportOf(1, 0, 0, 1, 1, (int) ordinal));
    }

    private static Command reportOf(long job, int group, int index, int attempt, long placementVersion, int ordinal) {
        return new Command.ReportTask(
                job,
                group,
                index,
                attempt,
                placementVersion,
                ordinal,
                TaskState.LOST,
                Command.ReportTask.EXIT_CODE_NONE,
                TaskReason.NONE,
                0,
                0);
    }
}
