package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.CommandResult.Decided;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ColdChangesTest {
    private static final JobId JOB = new JobId(12);
    private static final ColdKey SPECIFICATION = ColdKey.specification(JOB, 1);

    private final ColdChanges changes = new ColdChanges();

    @Test
    void find_outcomesOfSeveralEntries_eachByItsVersion() {
        keep(3, 4, 7);
        keep(20);
        keep(31, 32);
        for (long version : new long[] {3, 4, 7, 20, 31, 32}) {
            assertThat(row(ColdKey.outcome(new CellVersion(version)))).contains(bytes(version));
        }
        for (long version : new long[] {1, 5, 8, 19, 21, 33}) {
            assertThat(changes.find(ColdKey.outcome(new CellVersion(version))))
                    .as("version %d is of no transaction", version)
                    .isEmpty();
        }
    }

    @Test
    void find_forgottenOutcome_isDropped_alsoOneOfAnEarlierCheckpoint() {
        keep(20, 21, 22);
        changes.forget(new long[] {3, 9});
        changes.forget(new long[] {20});
        for (long version : new long[] {3, 9, 20}) {
            assertThat(changes.find(ColdKey.outcome(new CellVersion(version)))
                            .orElseThrow()
                            .row())
                    .isEmpty();
        }
        assertThat(row(ColdKey.outcome(new CellVersion(21)))).contains(bytes(21));
    }

    @Test
    void find_specificationOfTheSameVersion_isNoOutcome() {
        keep(12);
        assertThat(changes.find(SPECIFICATION)).isEmpty();
        changes.put(SPECIFICATION, new byte[] {1});
        changes.forget(new long[] {12});
        assertThat(row(SPECIFICATION)).isPresent();
        changes.drop(JOB, 1);
        assertThat(changes.find(SPECIFICATION).orElseThrow().row()).isEmpty();
    }

    @Test
    void drop_jobOfALateGeneration_isOneChange_andLeavesNoneOfItsSpecifications() {
        changes.put(ColdKey.specification(JOB, 4_999), new byte[] {1});
        changes.put(ColdKey.specification(JOB, 5_000), new byte[] {2});
        changes.drop(JOB, 5_000);
        for (int generation : new int[] {1, 4_998, 4_999, 5_000}) {
            assertThat(row(ColdKey.specification(JOB, generation))).isEmpty();
        }
        assertThat(changes.find(ColdKey.specification(new JobId(13), 1))).isEmpty();
        assertThat(written()).containsExactly("drop 12 up to 5000");
    }

    @Test
    void forEach_entriesOfOutcomes_areARowEach_butThoseThatAreForgottenWhole() {
        keep(20, 21);
        keep(22, 23);
        changes.put(SPECIFICATION, new byte[] {1});
        changes.forget(new long[] {19, 20, 21, 22});
        assertThat(written()).containsExactly("put 23 0", "put 12 1");
        assertThat(changes.forgottenUpTo()).isEqualTo(new CellVersion(22));
    }

    private List<String> written() {
        List<String> written = new ArrayList<>();
        changes.forEach(new ColdChanges.Rows() {
            @Override
            public void put(ColdKey key, byte[] row) {
                written.add("put " + key.version() + " " + key.generation());
            }

            @Override
            public void drop(JobId job, int lastGeneration) {
                written.add("drop " + job.version() + " up to " + lastGeneration);
            }
        });
        return written;
    }

    private void keep(long... versions) {
        changes.keep(EntryOutcomes.of(Arrays.stream(versions)
                .mapToObj(version -> (CommandResult) new Decided(outcome(version)))
                .toList()));
    }

    private Optional<byte[]> row(ColdKey key) {
        return changes.find(key).orElseThrow().row();
    }

    private static byte[] bytes(long version) {
        return OutcomeCodec.encode(outcome(version));
    }

    private static Outcome outcome(long version) {
        return Outcome.refused(new TransactionId("t-" + version), new CellVersion(version), Reason.NOT_ALLOWED);
    }
}
