package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessUsersTest {
    private final Locale usual = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(usual);
    }

    @Test
    void seconds_haveAPoint_inEveryLocale() {
        Locale.setDefault(Locale.GERMANY);
        assertThat(ProcessUsers.seconds(1_500)).isEqualTo("1.5");
    }
}
