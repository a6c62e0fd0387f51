package dev.cella.chaos.check;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One thing that must hold in every history. */
public interface Checker {
    /** The input of a checker: the observations, and the log replayed. */
    record Evidence(History history, Replay replay) {
        public static Evidence of(History history) {
            return new Evidence(history, Replay.of(history));
        }
    }

    /** A place where it does not hold. */
    record Violation(String at, String what) {}

    /** Its number in the catalogue. */
    String number();

    /** What must hold, in one sentence. */
    String holds();

    List<Violation> check(Evidence evidence);

    /** Returns whether the run had a case for this checker. The verdict of a checker without a case says so. */
    boolean hasCases(Evidence evidence);

    /** Collects violations; the first hundred say enough. */
    final class Found {
        private static final int MAX = 100;

        private final List<Violation> violations = new ArrayList<>();

        @FormatMethod
        void add(String at, @FormatString String what, Object... arguments) {
            if (violations.size() < MAX) {
                violations.add(new Violation(at, String.format(what, arguments)));
            }
        }

        @FormatMethod
        void unless(boolean holds, String at, @FormatString String what, Object... arguments) {
            if (!holds) {
                add(at, what, arguments);
            }
        }

        List<Violation> all() {
            return violations;
        }
    }

    /** The job that the step created; nothing for an order that was repeated and answered with the job that is there. */
    static Optional<JobId> created(Replay.Step step) {
        return step.command().orElse(null) instanceof Command.SubmitJob
                        && step.result() instanceof CommandResult.Done done
                        && done.identity() == step.version()
                ? Optional.of(new JobId(done.identity()))
                : Optional.empty();
    }

    static String version(long number) {
        return "version " + number;
    }

    static String time(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
