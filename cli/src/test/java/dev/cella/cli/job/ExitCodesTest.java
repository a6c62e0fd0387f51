package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExitCodesTest {
    @Test
    void meaning_ofAShellsOrASignalsCode_isExplained() {
        assertThat(ExitCodes.meaning(127)).contains("there is no such command");
        assertThat(ExitCodes.meaning(137).orElseThrow()).contains("signal KILL");
        assertThat(ExitCodes.meaning(130)).contains("it was ended by signal 2");
    }

    @Test
    void meaning_ofAProgramsOwnCode_isNotGuessed() {
        assertThat(ExitCodes.meaning(1)).isEmpty();
        assertThat(ExitCodes.meaning(200)).isEmpty();
    }
}
