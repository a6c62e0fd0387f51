package dev.cella.agent.federation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GivenUpTwinsTest {
    @Test
    void add_beyondTheMost_forgetsTheOldest() {
        GivenUpTwins twins = new GivenUpTwins(2);
        twins.add("first");
        twins.add("second");
        twins.add("first");
        twins.add("third");
        assertThat(twins.names()).containsExactly("second", "third");
        twins.remove("second");
        assertThat(twins.names()).containsExactly("third");
    }
}
