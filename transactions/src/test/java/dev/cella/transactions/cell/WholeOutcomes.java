package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Outcome;
import java.util.HashMap;
import java.util.Map;

/** The whole outcomes by version, as the keeper of a cell stores them: gives a repeat its first outcome. */
final class WholeOutcomes {
    private final Map<Long, Outcome> outcomes = new HashMap<>();

    CommandResult whole(CommandResult result) {
        if (result instanceof CommandResult.Decided decided && decided.isKept()) {
            outcomes.put(decided.version().number(), decided.outcome());
        } else if (result instanceof CommandResult.Repeated repeated) {
            assertThat(repeated.version().isAfter(repeated.first())).isTrue();
            Outcome first = outcomes.get(repeated.first().number());
            assertThat(first).as("the outcome at " + repeated.first()).isNotNull();
            return new CommandResult.Decided(first);
        }
        return result;
    }

    void forget(long[] versions) {
        for (long version : versions) {
            assertThat(outcomes.remove(version)).as("the outcome at " + version).isNotNull();
        }
    }
}
