package dev.cella.client.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentTemplateTest {
    private static final Map<String, String> VALUES = Map.of("index", "7", "job", "hello");

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "'', ''",
        "${index}, 7",
        "--of=${job}/${index}., --of=hello/7.",
        "$${index}, ${index}",
        "$$${index}, $${index}",
        "$${${index}, ${7",
        "$5 $ $$, $5 $ $$",
        "{index}, {index}",
        "${index}}, 7}",
    })
    void fill_replacesPlaceholdersAlone(String argument, String filled) {
        assertThat(ArgumentTemplate.parse(argument).fill(VALUES)).isEqualTo(filled);
    }

    @Test
    void placeholders_areNamedInOrder() {
        assertThat(ArgumentTemplate.parse("${b}$${c}${a}${}").placeholders()).containsExactly("b", "a", "");
    }

    @Test
    void unclosed_isTheRestOfTheArgument() {
        assertThat(ArgumentTemplate.parse("a ${index").unclosed()).contains("${index");
        assertThat(ArgumentTemplate.parse("a $${index").unclosed()).isEmpty();
    }

    @Test
    void fill_withoutAValue_saysWhich() {
        assertThatThrownBy(() -> ArgumentTemplate.parse("${machine}").fill(VALUES))
                .hasMessageContaining("${machine}");
    }
}
