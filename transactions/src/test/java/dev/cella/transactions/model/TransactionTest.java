package dev.cella.transactions.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private static final JobId JOB = new JobId(10);

    private static TaskId task(int index) {
        return new TaskId(JOB, 0, index);
    }

    /** One item of each kind. */
    private static Transaction.Builder whole() {
        return empty().claim(new Claim(task(1), 1, 5, List.of(6, 7), Optional.of(Amounts.of(100))))
                .claim(task(2), 1, 5)
                .evict(new Eviction(task(3), 1, OptionalInt.of(0)))
                .hold(new HoldRequest(JOB, 5, Amounts.of(100), 1_000))
                .step(new Step(Step.Kind.AGAIN, task(4), 1))
                .scale(new Scale(JOB, 0, 1, 9))
                .progress(JOB, Progress.of(new byte[] {1}));
    }

    private static Transaction.Builder empty() {
        return Transaction.builder(new TransactionId("t"), "batch").basis(new CellVersion(3));
    }

    // ---- claims that cannot be for the same task twice

    @Test
    void claimsInOrder_ofOneGroupByRisingIndex_only() {
        assertThat(empty().claim(task(2), 1, 5).claim(task(7), 1, 5).build().claimsInOrder())
                .isTrue();
        assertThat(empty().claim(task(2), 1, 5).claim(task(2), 1, 6).build().claimsInOrder())
                .isFalse();
        assertThat(empty().claim(task(7), 1, 5).claim(task(2), 1, 5).build().claimsInOrder())
                .isFalse();
        assertThat(empty().claim(task(2), 1, 5).claim(task(7), 2, 5).build().claimsInOrder())
                .as("the task's group under another generation is another reference")
                .isFalse();
    }

    // ---- "with other content (its digest is kept): ID_REUSED"

    @Test
    void digest_ofTheSameAskedAgain_isTheSame() {
        assertThat(whole().build().digest()).isEqualTo(whole().build().digest());
    }

    /** The door sets the version at which machines were looked up, and a retry may have another. */
    @Test
    void digest_machinesLookedUpLater_isTheSame() {
        assertThat(whole().machinesAsOf(new CellVersion(9)).build().digest())
                .isEqualTo(whole().build().digest());
    }

    /** The incarnation protects a door that checks it. It is no part of the request. */
    @Test
    void digest_withTheIncarnationSaid_isTheSame() {
        assertThat(whole().incarnation(new Incarnation(7)).build().digest())
                .isEqualTo(whole().build().digest());
    }

    @Test
    void digest_withDefaultsSaid_isTheSame() {
        Transaction said = empty().atomicity(Atomicity.INCREMENTAL)
                .conflictRule(ConflictRule.RESOURCE)
                .seesOwn(false)
                .minClaims(0)
                .claim(task(1), 1, 5)
                .amounts(Amounts.of(0, 0))
                .hold(new HoldRequest(JOB, 5, Amounts.of(100, 0), 1_000))
                .build();
        Transaction unsaid = empty().claim(task(1), 1, 5)
                .hold(new HoldRequest(JOB, 5, Amounts.of(100), 1_000))
                .build();
        assertThat(said.digest()).isEqualTo(unsaid.digest());
        assertThat(said.saysAmounts()).isFalse();
        assertThat(said.claim(0)).isEqualTo(unsaid.claim(0));
    }

    /**
     * Another table of references, or another order of the progress, gives another digest. A retry then gets ID_REUSED, which
     * does no harm.
     */
    @Test
    void digest_ofTheSameToldInAnotherWay_isAnother() {
        long[] jobs = {10, 11};
        Transaction unused = empty().references(jobs, new int[2], new int[] {1, 1})
                .claimOf(0, 1, 5)
                .build();
        assertThat(unused.claim(0)).isEqualTo(Claim.of(task(1), 1, 5));
        assertThat(unused.digest())
                .isNotEqualTo(empty().claim(task(1), 1, 5).build().digest());

        Progress one = Progress.of(new byte[] {1});
        Transaction firstBefore =
                empty().progress(JOB, one).progress(new JobId(11), one).build();
        Transaction firstAfter =
                empty().progress(new JobId(11), one).progress(JOB, one).build();
        assertThat(firstAfter.progress()).isEqualTo(firstBefore.progress());
        assertThat(firstAfter.digest()).isNotEqualTo(firstBefore.digest());
    }

    /** Such a transaction is wrong about some of the claims: only one of the generations can be the job's. */
    @Test
    void digest_ofClaimsOfAGroupUnderTwoGenerations_doesNotTellWhichOfThemTheThirdIsFor() {
        Transaction.Builder two = empty().claim(task(1), 1, 5).claim(task(2), 2, 5);
        long third = two.claim(task(3), 1, 5).build().digest();
        two = empty().claim(task(1), 1, 5).claim(task(2), 2, 5);
        assertThat(two.claim(task(3), 2, 5).build().digest()).isEqualTo(third);
    }

    @Test
    void digest_ofWhatWasAskedInNames_isWhatTheDoorSays() {
        assertThat(whole().askedInNames(42).build().digest()).isEqualTo(42);
    }

    @Test
    void digest_withAnyPartChanged_isAnother() {
        Map<Long, String> partsByDigest = new LinkedHashMap<>();
        variants().forEach((part, variant) -> {
            long digest = variant.apply(empty()).build().digest();
            assertThat(partsByDigest.put(digest, part)).as("as " + part).isNull();
        });
    }

    private static Map<String, UnaryOperator<Transaction.Builder>> variants() {
        Map<String, UnaryOperator<Transaction.Builder>> variants = new LinkedHashMap<>();
        variants.put("one claim", one -> one.claim(task(1), 1, 5));
        variants.put("the other task", one -> one.claim(task(2), 1, 5));
        variants.put("the other group", one -> one.claim(new TaskId(JOB, 1, 1), 1, 5));
        variants.put("the other job", one -> one.claim(new TaskId(new JobId(11), 0, 1), 1, 5));
        variants.put("the other generation", one -> one.claim(task(1), 2, 5));
        variants.put("the other machine", one -> one.claim(task(1), 1, 6));
        variants.put("two claims", one -> one.claim(task(1), 1, 5).claim(task(2), 1, 5));
        variants.put("in the other order", one -> one.claim(task(2), 1, 5).claim(task(1), 1, 5));
        variants.put("an alternate", one -> one.claim(task(1), 1, 5).alternate(6));
        variants.put("another alternate", one -> one.claim(task(1), 1, 5).alternate(7));
        variants.put(
                "the first one's alternate",
                one -> one.claim(task(1), 1, 5).alternate(6).claim(task(2), 1, 5));
        variants.put(
                "the second one's alternate",
                one -> one.claim(task(1), 1, 5).claim(task(2), 1, 5).alternate(6));
        variants.put("amounts", one -> one.claim(task(1), 1, 5).amounts(Amounts.of(1)));
        variants.put("other amounts", one -> one.claim(task(1), 1, 5).amounts(Amounts.of(2)));
        variants.put("a session", one -> one.claim(task(1), 1, 5).session(new SessionId(4)));
        variants.put("a basis", one -> one.claim(task(1), 1, 5).basis(new CellVersion(4)));
        variants.put("atomicity", one -> one.claim(task(1), 1, 5).atomicity(Atomicity.ALL_OR_NOTHING));
        variants.put("the rule", one -> one.claim(task(1), 1, 5).conflictRule(ConflictRule.MACHINE));
        variants.put(
                "both",
                one -> one.claim(task(1), 1, 5)
                        .atomicity(Atomicity.ALL_OR_NOTHING)
                        .conflictRule(ConflictRule.MACHINE));
        variants.put("seesOwn", one -> one.claim(task(1), 1, 5).seesOwn(true));
        variants.put("minClaims", one -> one.claim(task(1), 1, 5).minClaims(1));
        variants.put("an eviction", one -> one.evict(new Eviction(task(1), 1, OptionalInt.empty())));
        variants.put("an eviction of another task", one -> one.evict(new Eviction(task(2), 1, OptionalInt.empty())));
        variants.put(
                "an eviction of another group's task",
                one -> one.evict(new Eviction(new TaskId(JOB, 1, 1), 1, OptionalInt.empty())));
        variants.put(
                "an eviction of another job's task",
                one -> one.evict(new Eviction(new TaskId(new JobId(11), 0, 1), 1, OptionalInt.empty())));
        variants.put("of another attempt", one -> one.evict(new Eviction(task(1), 2, OptionalInt.empty())));
        variants.put("for a claim", one -> one.claim(task(1), 1, 5).evict(new Eviction(task(3), 1, OptionalInt.of(0))));
        variants.put("for none", one -> one.claim(task(1), 1, 5).evict(new Eviction(task(3), 1, OptionalInt.empty())));
        variants.put("a hold", one -> one.hold(new HoldRequest(JOB, 5, Amounts.of(1), 1_000)));
        variants.put("for another job", one -> one.hold(new HoldRequest(new JobId(11), 5, Amounts.of(1), 1_000)));
        variants.put("on another machine", one -> one.hold(new HoldRequest(JOB, 6, Amounts.of(1), 1_000)));
        variants.put("of more", one -> one.hold(new HoldRequest(JOB, 5, Amounts.of(2), 1_000)));
        variants.put("for longer", one -> one.hold(new HoldRequest(JOB, 5, Amounts.of(1), 2_000)));
        for (Step.Kind kind : Step.Kind.values()) {
            variants.put("step " + kind, one -> one.step(new Step(kind, task(1), 1)));
        }
        variants.put("a step of a later attempt", one -> one.step(new Step(Step.Kind.AGAIN, task(1), 2)));
        variants.put("on another task", one -> one.step(new Step(Step.Kind.AGAIN, task(2), 1)));
        variants.put("on another group's", one -> one.step(new Step(Step.Kind.AGAIN, new TaskId(JOB, 1, 1), 1)));
        variants.put(
                "on another job's", one -> one.step(new Step(Step.Kind.AGAIN, new TaskId(new JobId(11), 0, 1), 1)));
        variants.put("a scale", one -> one.scale(new Scale(JOB, 0, 1, 9)));
        variants.put("of another job", one -> one.scale(new Scale(new JobId(11), 0, 1, 9)));
        variants.put("of another group", one -> one.scale(new Scale(JOB, 1, 1, 9)));
        variants.put("of another generation", one -> one.scale(new Scale(JOB, 0, 2, 9)));
        variants.put("an expected count", one -> one.scale(new Scale(JOB, 0, 1, 9, OptionalInt.of(8))));
        variants.put("another expected count", one -> one.scale(new Scale(JOB, 0, 1, 9, OptionalInt.of(7))));
        variants.put("to another count", one -> one.scale(new Scale(JOB, 0, 1, 8)));
        variants.put("progress", one -> one.progress(JOB, Progress.of(new byte[] {1})));
        variants.put("other progress", one -> one.progress(JOB, Progress.of(new byte[] {2})));
        variants.put("progress of another job", one -> one.progress(new JobId(11), Progress.of(new byte[] {1})));
        return variants;
    }

    @Test
    void digest_byAnotherScheduler_isAnother() {
        Transaction.Builder other =
                Transaction.builder(new TransactionId("t"), "web").basis(new CellVersion(3));
        assertThat(other.claim(task(1), 1, 5).build().digest())
                .isNotEqualTo(empty().claim(task(1), 1, 5).build().digest());
    }

    /** Checkpoints store the digest and replicas compare it, so it must equal that of the previous release. */
    @Test
    void digest_neverChanges() {
        assertThat(whole().build().digest()).isEqualTo(-8356968645226070158L);
    }

    // ---- as values

    @Test
    void claim_asAValue_isTheOneThatWasAdded() {
        Claim claim = new Claim(task(1), 2, 5, List.of(6, 7), Optional.of(Amounts.of(100)));
        Transaction transaction =
                empty().claim(task(0), 1, 4).claim(claim).claim(task(2), 2, 5).build();
        assertThat(transaction.claim(0)).isEqualTo(Claim.of(task(0), 1, 4));
        assertThat(transaction.claim(1)).isEqualTo(claim);
        assertThat(transaction.claim(2)).isEqualTo(Claim.of(task(2), 2, 5));
        assertThat(transaction.references()).isEqualTo(2);
    }

    @Test
    void items_areCountedByKind() {
        assertThat(whole().build().items()).isEqualTo(6);
        assertThat(whole().build()).hasToString("t by batch at 3: 2 claims, 1 evictions, 1 holds, 1 steps");
    }

    @Test
    void builder_goesOnAfterABuild_andWritesNoMoreIntoWhatItBuilt() {
        Transaction.Builder builder = empty();
        IntStream.range(0, 16).forEach(index -> builder.claim(task(index), 1, index));
        assertThat(builder.claims()).isEqualTo(16);
        Transaction first = builder.build();
        long digest = first.digest();
        IntStream.range(16, 40).forEach(index -> builder.claim(task(index), 1 + index % 5, index));
        Transaction second = builder.build();
        assertThat(first.claims()).isEqualTo(16);
        assertThat(first.digest()).isEqualTo(digest);
        assertThat(second.claims()).isEqualTo(40);
        assertThat(second.claim(39)).isEqualTo(Claim.of(task(39), 1 + 39 % 5, 39));
    }
}
