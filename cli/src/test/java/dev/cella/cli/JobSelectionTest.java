package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@code cella job list} asks for. */
class JobSelectionTest extends OnAScriptedCell {
    @Test
    void label_isAskedForAsItIsTyped_alsoWithACommaInItsValue() {
        assertThat(run("job", "list", "--label", "zones=a,b", "--label", "app=web"))
                .as(typed.err())
                .isZero();
        assertThat(cell.asked()).singleElement().asString().contains("label=zones%3Da%5C%2Cb%2Capp%3Dweb");
    }
}
