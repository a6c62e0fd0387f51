package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.naive.NaiveCell;
import java.util.List;

/** C3: the second, naive implementation of SEMANTICS section 5 answers every command of the log alike. */
final class RightVerdicts implements Checker {
    @Override
    public String number() {
        return "C3";
    }

    @Override
    public String holds() {
        return "Every verdict is the one that SEMANTICS section 5 asks for, as a second implementation decides it.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.replay().steps().isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        NaiveCell naive = new NaiveCell(evidence.history().limits());
        for (Step step : evidence.replay().steps()) {
            if (step.command().isEmpty()) {
                found.add(Checker.version(step.version()), "the log has a command that cannot be read");
                return found.all();
            }
            CommandResult said = naive.apply(step.command().get(), step.cellTimeMillis());
            if (!isSame(step.result(), said)) {
                found.add(
                        Checker.version(step.version()),
                        "%s: the cell said %s, the second implementation %s",
                        step.command().get(),
                        step.result(),
                        said);
                return found.all();
            }
        }
        return found.all();
    }

    /**
     * The second implementation has no messages and no identities, and keeps whole outcomes of repeated transactions.
     */
    private static boolean isSame(CommandResult result, CommandResult naive) {
        if (result instanceof CommandResult.Done done) {
            return naive instanceof CommandResult.Done other
                    && done.version().equals(other.version())
                    && done.effect() == other.effect();
        } else if (result instanceof CommandResult.Refused refused) {
            return naive instanceof CommandResult.Refused other && refused.reason() == other.reason();
        } else if (result instanceof CommandResult.Repeated repeated) {
            return naive instanceof CommandResult.Decided other
                    && repeated.first().equals(other.outcome().version());
        }
        return result.equals(naive);
    }
}
