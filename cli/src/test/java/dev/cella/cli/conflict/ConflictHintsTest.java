package dev.cella.cli.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.SchedulerConflicts;
import dev.cella.client.proto.TransactionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConflictHintsTest {
    @Test
    void claimsLostToTheRuleByMachine_hintAtTheOtherRule() {
        List<LostClaim> ledger = lost("batch-b", 9, "MACHINE_CHANGED", 9);
        ledger.addAll(lost("batch-b", 2, "DOES_NOT_FIT", 2));

        assertThat(ConflictHints.of(List.of(scheduler("batch-b", 0.4)), ledger))
                .containsExactly(
                        "9 of batch-b's 11 lost claims are MACHINE_CHANGED; under conflictRule RESOURCE a claim is"
                                + " lost only where it no longer fits");
    }

    @Test
    void claimsLostOnTheSameFewMachines_hintAtPlacementsThatDraw() {
        List<LostClaim> ledger = lost("batch", 12, "DOES_NOT_FIT", 3);
        ledger.addAll(lost("batch", 8, "DOES_NOT_FIT", 8));

        assertThat(ConflictHints.of(List.of(scheduler("batch", 1.5)), ledger))
                .singleElement()
                .asString()
                .startsWith("15 of batch's 20 lost claims were on 3 machines: ");
    }

    @Test
    void plansThatAreOldWhenDecided_hintAtTheDecisionTime() {
        assertThat(ConflictHints.of(List.of(scheduler("web", 1.4)), lost("web", 20, "DOES_NOT_FIT", 20)))
                .containsExactly(
                        "web loses 1.40 transactions for each that gets through, and its plans are 180 versions old"
                                + " when they are decided: fewer schedulers in parallel, or a shorter decision time");
    }

    @Test
    void hintsWithoutProofInTheLedger_areNotGiven() {
        assertThat(ConflictHints.of(List.of(scheduler("few", 2)), lost("few", 9, "MACHINE_CHANGED", 9)))
                .as("too few to tell")
                .isEmpty();
        assertThat(ConflictHints.of(List.of(scheduler("fine", 0.1)), lost("fine", 50, "MACHINE_CHANGED", 50)))
                .as("it loses little")
                .isEmpty();
        assertThat(ConflictHints.of(List.of(scheduler("mixed", 0.5)), lost("mixed", 20, "DOES_NOT_FIT", 20)))
                .as("spread out, and not many")
                .isEmpty();
        assertThat(ConflictHints.of(List.of(scheduler("other", 2)), lost("web", 20, "MACHINE_CHANGED", 20)))
                .as("of another scheduler")
                .isEmpty();
    }

    private static SchedulerConflicts scheduler(String name, double fraction) {
        return SchedulerConflicts.newBuilder()
                .setName(name)
                .setConflictFraction(fraction)
                .setStalenessVersionsMedian(180)
                .build();
    }

    private static List<LostClaim> lost(String loser, int count, String reason, int machines) {
        List<LostClaim> lost = new ArrayList<>();
        for (int claim = 0; claim < count; claim++) {
            lost.add(LostClaim.newBuilder()
                    .setLoser(TransactionName.newBuilder().setScheduler(loser))
                    .setReason(reason)
                    .setMachine("m-" + claim % machines)
                    .build());
        }
        return lost;
    }
}
