package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Under rule MACHINE, a planner whose view shows its own claims in flight conflicts only with the claims of others.
 */
class OwnClaimsTest {
    private final TestCell cell = new TestCell();
    private SessionId own = new SessionId(1);
    private SessionId other = new SessionId(1);

    @BeforeEach
    void begin() {
        cell.machine("m", 64_000, 64);
        cell.job("j", 20, 1_000, 0);
        own = session("own");
        other = session("other");
    }

    private SessionId session(String instance) {
        cell.apply(new Command.OpenSession("batch", instance, "batch", 60_000, Optional.empty()));
        return new SessionId(cell.version().number());
    }

    /** Claims the next task on the machine, with that version as the basis. */
    private ItemResult claim(int index, SessionId by, CellVersion basis) {
        return cell.commit(cell.transaction("t" + index)
                        .session(by)
                        .seesOwn(true)
                        .conflictRule(ConflictRule.MACHINE)
                        .basis(basis)
                        .claim(cell.task("j", index), cell.generation("j"), cell.slot("m")))
                .result(0);
    }

    @Test
    void ownClaims_howeverMany_areNoConflicts() {
        CellVersion basis = cell.version();
        for (int index = 0; index < 4; index++) {
            assertThat(claim(index, own, basis).accepted()).isTrue();
        }
    }

    @Test
    void claimOfAnother_beforeOwnClaim_isAConflictIfNotSeen() {
        CellVersion before = cell.version();
        assertThat(claim(0, other, before).accepted()).isTrue();
        CellVersion seen = cell.version();
        assertThat(claim(1, own, seen).accepted()).isTrue();
        assertThat(claim(2, own, seen).accepted()).isTrue();
        assertThat(claim(3, own, before).reason()).contains(Reason.MACHINE_CHANGED);
        assertThat(claim(4, own, seen).accepted()).isTrue();
    }

    @Test
    void claimOfAnother_betweenOwnClaims_isAConflictIfNotSeen() {
        CellVersion before = cell.version();
        assertThat(claim(0, own, before).accepted()).isTrue();
        assertThat(claim(1, other, cell.version()).accepted()).isTrue();
        assertThat(claim(2, own, before).reason()).contains(Reason.MACHINE_CHANGED);
        CellVersion seen = cell.version();
        assertThat(claim(3, own, seen).accepted()).isTrue();
        assertThat(claim(4, own, seen).accepted()).isTrue();
        assertThat(claim(5, other, seen).reason()).contains(Reason.MACHINE_CHANGED);
    }
}
