package dev.cella.cli;

import static dev.cella.cli.ScriptedCell.problem;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a command says when the cell refuses what it asks, or when it refuses to ask. */
class RefusalTest extends OnAScriptedCell {
    @Test
    void severalFaults_areAllNamed() {
        cell.answer("/v1/pools/research", problem("bad-request", 400, "minimum.foo: no such thing (and 1 more)", """
                , "errors": [{"path": "minimum.foo", "message": "no such thing"},
                             {"path": "limit.bar", "message": "nor this"}], "hint": "look"
                """));

        assertThat(run("pool", "set", "research", "--minimum", "foo=1", "--limit", "bar=2"))
                .isEqualTo(1);
        assertThat(typed.err()).isEqualTo("""
                error: minimum.foo: no such thing
                error: limit.bar: nor this
                hint:  look
                """);
    }

    @Test
    void refusalOfACellWithTooMuchToDo_saysWhenToTryAgain() {
        cell.answer("/v1/cell", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3");
            problem("overloaded", 503, "Too much is waiting to be decided").give(exchange);
        });

        assertThat(run("status")).isEqualTo(1);
        assertThat(typed.err()).isEqualTo("error: Too much is waiting to be decided\nhint:  try again in 3 s\n");
    }

    /** The secret is shown once, and its name is known. */
    @Test
    void token_isNotMade_ifItsSecretWouldNotBeShown() {
        assertThat(run("token", "create", "alice", "--scope", "submit", "-o", "name"))
                .isEqualTo(64);
        assertThat(cell.asked()).isEmpty();
    }
}
