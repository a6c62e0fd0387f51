package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandTemplateTest {
    private static String fill(String argument) {
        return CommandTemplate.fill(List.of(argument), Map.of("index", "3", "job", "a$1\\b"))
                .get(0);
    }

    @Test
    void names_areFilledIn() {
        assertThat(fill("--shard=${index}/${index}")).isEqualTo("--shard=3/3");
    }

    @Test
    void values_areTakenAsTheyAre() {
        assertThat(fill("${job}")).isEqualTo("a$1\\b");
    }

    @Test
    void doubledDollar_isALiteral() {
        assertThat(fill("$${index} ${index}")).isEqualTo("${index} 3");
    }

    @Test
    void whatIsNoPlaceholder_staysAsItIs() {
        assertThat(fill("$index $$ {index} ${ $")).isEqualTo("$index $$ {index} ${ $");
    }

    @Test
    void unknownName_isRefused() {
        assertThatThrownBy(() -> fill("${nope}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("${nope}");
    }
}
