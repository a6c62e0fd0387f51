package dev.cella.transactions.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which values are equal, their text forms, and digests that never change. */
class ValuesTest {
    private static final TransactionId ID = new TransactionId("t");
    private static final CellVersion VERSION = new CellVersion(7);
    private static final ItemResult ACCEPTED = ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(3));
    private static final ItemResult REFUSED = ItemResult.refused(ItemKind.CLAIM, Reason.DOES_NOT_FIT);
    private static final ItemResult STEP = ItemResult.accepted(ItemKind.STEP, OptionalInt.empty());

    // ---- digests: replicas of two releases compare them

    /** The row of a job asks for it after each copy of a task and each scale. */
    @Test
    void digestOfASpecification_isComputedOnce() throws ReflectiveOperationException {
        Specification specification = Specification.of(new byte[] {1});
        long digest = specification.digest();
        Field field = Specification.class.getDeclaredField("bytes");
        field.setAccessible(true);
        ((byte[]) field.get(specification))[0] = 2;
        assertThat(specification.digest()).isEqualTo(digest);
    }

    @Test
    void digests_neverChange() {
        assertThat(Digests.mix(1, 2)).isEqualTo(-1956407806741107680L);
        assertThat(Digests.mix(2, 1)).isEqualTo(-7995527694508729151L);
        assertThat(Digests.of("cella")).isEqualTo(5301891363085994436L);
        assertThat(Digests.of(new byte[] {1, 2, 3})).isEqualTo(2711551329624082386L);
        assertThat(Amounts.of(1, 2).digest()).isEqualTo(6165558766200589692L);
        assertThat(Limits.of(1, Limits.UNLIMITED, 2).digest()).isEqualTo(5323437269475819736L);
        assertThat(new TaskId(new JobId(5), 1, 2).digest()).isEqualTo(-8390923030772663913L);
        assertThat(Progress.of(new byte[] {1}).digest()).isEqualTo(Digests.of(new byte[] {1}));
        assertThat(Specification.of(new byte[] {1}).digest()).isEqualTo(Digests.of(new byte[] {1}));
    }

    // ---- dimensions

    @Test
    void dimensions_knowWhichAreSets() {
        Dimensions counted = Dimensions.FOUNDING;
        Dimensions withPorts = counted.with(new Dimension("ports", Dimension.Kind.SET));
        assertThat(counted.hasSets()).isFalse();
        assertThat(counted.isSet(counted.size())).isFalse();
        assertThat(withPorts.hasSets()).isTrue();
        assertThat(withPorts.isSet(3)).isTrue();
        assertThat(withPorts.isSet(0)).isFalse();
    }

    @Test
    void dimensions_sayWhereMembersAreNamedInVain_orAreMissing() {
        Dimensions dimensions = Dimensions.FOUNDING.with(new Dimension("ports", Dimension.Kind.SET));
        Members ofMemory = Members.NONE.with(Dimensions.MEMORY_MIB, MemberSet.of(1));
        Members ofPorts = Members.NONE.with(3, MemberSet.of(8000));
        assertThat(dimensions.firstNamedInVain(Amounts.of(1).naming(ofMemory))).isEqualTo(Dimensions.MEMORY_MIB);
        assertThat(dimensions.firstNamedInVain(Amounts.of(1).naming(ofPorts))).isEqualTo(-1);
        assertThat(dimensions.firstUnnamed(Amounts.of(1).naming(ofPorts))).isEqualTo(-1);
        assertThat(dimensions.firstUnnamed(Amounts.of(1, 1, 1, 2).naming(ofPorts)))
                .isEqualTo(3);
    }

    @Test
    void job_hasGangsWhereAGroupIsOne() {
        GroupHeader alone = new GroupHeader("main", 2, Amounts.of(1), new Restart(0, 0, 0));
        JobHeader job = new JobHeader(
                "j",
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(alone));
        assertThat(job.hasGangs()).isFalse();
        GroupHeader together = new GroupHeader(
                "ranks",
                2,
                Amounts.of(1),
                new Restart(0, 0, 0),
                0,
                0,
                OnLost.REPLACE,
                Optional.of(new Gang(2, 0, Gang.Restarts.ALL)));
        assertThat(job.withGroups(List.of(alone, together)).hasGangs()).isTrue();
    }

    // ---- what is equal

    @Test
    void amounts_areEqualWithoutTrailingZeros() {
        assertThat(Amounts.of(1, 0, 2, 0)).isEqualTo(Amounts.of(1, 0, 2)).hasSameHashCodeAs(Amounts.of(1, 0, 2));
        assertThat(Amounts.of(1, 2)).isNotEqualTo(Amounts.of(2, 1)).doesNotHaveSameHashCodeAs(Amounts.of(2, 1));
        assertThat(Amounts.of(0, 0)).isSameAs(Amounts.NONE);
    }

    @Test
    void limits_areEqualWithoutTrailingUnlimited() {
        assertThat(Limits.of(1, Limits.UNLIMITED)).isEqualTo(Limits.of(1)).hasSameHashCodeAs(Limits.of(1));
        assertThat(Limits.of(1)).isNotEqualTo(Limits.of(2)).doesNotHaveSameHashCodeAs(Limits.of(2));
        assertThat(Limits.of(1)).isNotEqualTo(Amounts.of(1));
        assertThat(Limits.of(Limits.UNLIMITED, 5)).hasToString("[-, 5]");
    }

    @Test
    void bytes_areEqualByWhatTheyAre() {
        byte[] one = {1};
        assertThat(Progress.of(one)).isEqualTo(Progress.of(one)).hasSameHashCodeAs(Progress.of(one));
        assertThat(Progress.of(one)).isNotEqualTo(Progress.NONE).doesNotHaveSameHashCodeAs(Progress.NONE);
        assertThat(Progress.of(one)).hasToString("1 bytes");
        assertThat(Specification.of(one)).isEqualTo(Specification.of(one)).hasSameHashCodeAs(Specification.of(one));
        assertThat(Specification.of(one))
                .isNotEqualTo(Specification.EMPTY)
                .doesNotHaveSameHashCodeAs(Specification.EMPTY)
                .hasToString("1 bytes");
        assertThat(Specification.of(one).length()).isEqualTo(1);
    }

    // ---- versions, placements, dimensions, rights

    @Test
    void versions_areInOrder() {
        assertThat(VERSION).isGreaterThan(new CellVersion(6)).isLessThan(VERSION.next());
        assertThat(new CellTime(2)).isGreaterThan(new CellTime(1)).isEqualByComparingTo(CellTime.ZERO.plusMillis(2));
    }

    @Test
    void placement_asText_isReadBack() {
        PlacementId placement = new PlacementId(12, 3);
        assertThat(placement).hasToString("12.3");
        assertThat(PlacementId.parse("12.3")).isEqualTo(placement);
        for (String not : List.of("12", ".3", "12.", "0.3", "12.-1", "a.b")) {
            assertThatIllegalArgumentException().as(not).isThrownBy(() -> PlacementId.parse(not));
        }
    }

    @Test
    void identities_asTexts_areWhatPeopleWrite() {
        assertThat(new MachineId(17)).hasToString("17");
        assertThat(new SessionId(12)).hasToString("12");
        assertThat(new Incarnation(0xCE11A)).hasToString("ce11a");
        assertThat(new CellName("cella")).hasToString("cella");
        assertThat(new Principal("operator@example")).hasToString("operator@example");
    }

    @Test
    void dimensions_areFoundByName() {
        Dimensions more = Dimensions.FOUNDING.with(new Dimension("gpu", Dimension.Kind.COUNT));
        assertThat(more.find("cpuMilli")).isEqualTo(Dimensions.CPU_MILLI);
        assertThat(more.find("gpu")).isEqualTo(3);
        assertThat(more.find("tpu")).isEqualTo(-1);
    }

    @Test
    void rights_goUpToTheirPriority_andDownFromTheirPools() {
        Rights rights = new Rights(50, List.of("a/b"), true, Rights.Evicts.OWN);
        assertThat(rights.mayPlace(50, "a/b")).isTrue();
        assertThat(rights.mayPlace(51, "a/b")).isFalse();
        assertThat(rights.mayPlace(50, "a/b/c")).isTrue();
        assertThat(rights.mayPlace(50, "a")).isFalse();
        assertThat(rights.mayPlace(50, "a/bc")).isFalse();
    }

    // ---- outcomes

    private static Outcome outcome(ItemResult... results) {
        return new Outcome(ID, VERSION, Verdict.PARTIAL, Optional.empty(), VERSION, List.of(results));
    }

    @Test
    void outcome_isSuccessfulWithAClaimAndWithoutAConflict() {
        ItemResult conflict = new ItemResult(
                ItemKind.CLAIM,
                false,
                true,
                OptionalInt.empty(),
                Optional.of(Reason.MACHINE_CHANGED),
                OptionalInt.empty(),
                0,
                0,
                OptionalInt.empty(),
                Optional.empty());
        assertThat(outcome(ACCEPTED).isSuccessful()).isTrue();
        assertThat(outcome(ACCEPTED, REFUSED).isSuccessful()).isTrue();
        assertThat(outcome(ACCEPTED, conflict).isSuccessful()).isFalse();
        assertThat(outcome(ACCEPTED, conflict).isConflicted()).isTrue();
        assertThat(outcome(STEP).isSuccessful()).isFalse();
        assertThat(outcome(REFUSED).isSuccessful()).isFalse();
    }

    /**
     * A transaction that was refused for its id has not used the id, and one that came too late may be sent again with another
     * basis.
     */
    @Test
    void outcome_isKept_butNotOfWhatWasRefusedForItsIdOrItsAge() {
        for (Reason reason : Reason.values()) {
            assertThat(new CommandResult.Decided(Outcome.refused(ID, VERSION, reason)).isKept())
                    .as(reason.name())
                    .isEqualTo(reason != Reason.ID_REUSED && reason != Reason.BASIS_TOO_OLD);
        }
        assertThat(new CommandResult.Decided(outcome(ACCEPTED)).isKept()).isTrue();
    }

    @Test
    void outcome_isEqualByAllThatItSays() {
        Outcome outcome = outcome(ACCEPTED, REFUSED, STEP);
        assertThat(outcome).isEqualTo(outcome(ACCEPTED, REFUSED, STEP)).hasSameHashCodeAs(outcome(ACCEPTED));
        assertThat(List.of(
                        outcome(ACCEPTED, REFUSED),
                        outcome(REFUSED, ACCEPTED, STEP),
                        Outcome.refused(ID, VERSION, Reason.FENCED),
                        of(new TransactionId("u"), VERSION, Verdict.PARTIAL, Optional.empty(), VERSION),
                        of(ID, VERSION.next(), Verdict.PARTIAL, Optional.empty(), VERSION),
                        of(ID, VERSION, Verdict.REJECTED, Optional.empty(), VERSION),
                        of(ID, VERSION, Verdict.PARTIAL, Optional.of(Reason.FENCED), VERSION),
                        of(ID, VERSION, Verdict.PARTIAL, Optional.empty(), VERSION.next())))
                .doesNotContain(outcome)
                .doesNotHaveDuplicates();
        assertThat(outcome.hashCode())
                .isNotEqualTo(of(ID, VERSION.next(), Verdict.PARTIAL, Optional.empty(), VERSION)
                        .hashCode());
        assertThat(outcome.toString()).contains("t", "7", "PARTIAL", "DOES_NOT_FIT");
    }

    private static Outcome of(
            TransactionId id, CellVersion version, Verdict verdict, Optional<Reason> reason, CellVersion syncVersion) {
        return new Outcome(id, version, verdict, reason, syncVersion, List.of(ACCEPTED, REFUSED, STEP));
    }

    @Test
    void outcome_givesBackItsResults() {
        Outcome outcome = outcome(ACCEPTED, REFUSED, STEP);
        assertThat(outcome.results()).containsExactly(ACCEPTED, REFUSED, STEP);
        assertThat(outcome.accepted()).isEqualTo(1);
        assertThat(outcome.slot(0)).isEqualTo(3);
    }

    // ---- reports

    @Test
    void report_givesBackWhatWasSaid() {
        TaskId task = new TaskId(new JobId(9), 2, 30);
        PlacementId placement = new PlacementId(12, 4);
        Command.ReportTask report = new Command.ReportTask(
                task,
                3,
                Optional.of(placement),
                TaskState.FAILED,
                OptionalInt.of(-9),
                TaskReason.TIMEOUT,
                OptionalLong.of(100),
                OptionalLong.of(200));
        assertThat(report.task()).isEqualTo(task);
        assertThat(report.placement()).contains(placement);
        assertThat(report.exitCode()).hasValue(-9);
        assertThat(report.startedAtMillisOrZero()).isEqualTo(100);
        assertThat(report.endedAtMillisOrZero()).isEqualTo(200);
    }

    @Test
    void report_ofWhatNobodySaid_saysNothing() {
        Command.ReportTask report = new Command.ReportTask(
                new TaskId(new JobId(9), 2, 30),
                1,
                Optional.empty(),
                TaskState.FINISHED,
                OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty());
        assertThat(report.placement()).isEmpty();
        assertThat(report.exitCode()).isEmpty();
        assertThat(report.startedAtMillisOrZero()).isZero();
        assertThat(report.endedAtMillisOrZero()).isZero();
    }
}
