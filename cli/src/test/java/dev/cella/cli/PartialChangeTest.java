package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Commands that change what is given of a row, and write the rest back. A replica that is behind has an older rest. */
class PartialChangeTest extends OnAScriptedCell {
    @Test
    void pool_isReadFromTheLeader() {
        assertThat(run("pool", "set", "research", "--weight", "2"))
                .as(typed.err())
                .isZero();
        assertThat(cell.asked()).containsExactly("/v1/pools/research?linearizable=true", "/v1/pools/research");
    }

    @Test
    void rights_areReadFromTheLeader_ifTheyAreToChange() {
        String rights = "/v1/schedulers/batch/rights";
        assertThat(run("schedulers", "rights", "batch", "--priority-max", "60"))
                .as(typed.err())
                .isZero();
        assertThat(cell.asked()).containsExactly(rights + "?linearizable=true", rights);
    }

    @Test
    void rights_areReadFromAnyServer_ifTheyAreOnlyShown() {
        assertThat(run("schedulers", "rights", "batch")).as(typed.err()).isZero();
        assertThat(cell.asked()).containsExactly("/v1/schedulers/batch/rights");
    }
}
