package dev.cella.client.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.MemberSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PortNamesTest {
    @Test
    void assign_givesPickedNumbersInTheOrderOfTheNames() {
        Map<String, Long> ports = Map.of("web", 0L, "admin", 0L, "fixed", 8_080L);
        assertThat(PortNames.assign(ports, MemberSet.parse("8080,20003,20007")))
                .isEqualTo(Map.of("admin", 20_003L, "fixed", 8_080L, "web", 20_007L));
        assertThat(PortNames.picked(ports)).isEqualTo(2);
        assertThat(PortNames.said(ports)).isEqualTo("8080");
    }

    @Test
    void assign_ofATaskThatHoldsLess_leavesTheRestOut() {
        assertThat(PortNames.assign(Map.of("web", 0L), MemberSet.NONE)).isEmpty();
    }
}
