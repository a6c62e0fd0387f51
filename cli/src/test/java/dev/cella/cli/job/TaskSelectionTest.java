package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.proto.Task;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskSelectionTest {
    @ParameterizedTest
    @CsvSource({
        "hello, hello/main/0, true",
        "hello, hello2/main/0, false",
        "hello/main, hello/main/0, true",
        "hello/main, hello/maintenance/0, false",
    })
    void includes_comparesWholeNames(String typed, String task, boolean included) {
        assertThat(TaskSelection.parse(typed)
                        .includes(Task.newBuilder().setTask(task).build()))
                .isEqualTo(included);
    }

    @Test
    void parse_threeParts_isOneTask() {
        assertThat(TaskSelection.parse("hello/main/2").index()).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/main", "hello/main/two", "hello/main/-1", "hello/main/0/1"})
    void parse_whatNamesNothing_isWrongUsage(String typed) {
        assertThatThrownBy(() -> TaskSelection.parse(typed))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("names no job or task");
    }
}
