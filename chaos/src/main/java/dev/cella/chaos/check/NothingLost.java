package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.UserCall;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** C4: every answer equals the log's result at its version, for the same command; a user's answer, as far as it says. */
final class NothingLost implements Checker {
    @Override
    public String number() {
        return "C4";
    }

    @Override
    public String holds() {
        return "No acknowledged command is lost, and every answer is what the log says.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().answered.isEmpty()
                || evidence.history().userCalls.stream().anyMatch(call -> call.answer() instanceof UserCall.Done);
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<Long, Step> byVersion = new HashMap<>();
        evidence.replay().steps().forEach(step -> byVersion.put(step.version(), step));
        Map<Long, Command> asked = new HashMap<>();
        evidence.history().asked.forEach(each -> asked.put(each.number(), each.command()));
        for (History.Answered answered : evidence.history().answered) {
            Step step = byVersion.get(answered.result().version().number());
            String at = Checker.time(answered.atNanos());
            if (step == null) {
                addLost(at, answered.result().version().number(), found);
            } else {
                compare(at, answered, asked.get(answered.number()), step, found);
            }
        }
        Map<JobId, String> names = names(evidence);
        for (UserCall call : evidence.history().userCalls) {
            if (call.answer() instanceof UserCall.Done told) {
                compare(call, told, byVersion.get(told.version()), names, found);
            } else if (call.answer() instanceof UserCall.Refused refused) {
                checkRefusal(call, refused, evidence, names, found);
            }
        }
        return found.all();
    }

    private static void addLost(String at, long version, Found found) {
        found.add(at, "the log has no %s, which was answered", Checker.version(version));
    }

    private static void compare(String at, History.Answered answered, @Nullable Command asked, Step step, Found found) {
        if (step.result() instanceof CommandResult.Repeated) {
            return;
        }
        found.unless(
                step.result().equals(answered.result()),
                at,
                "answered %s, and the log says %s",
                answered.result(),
                step.result());
        Command logged = step.command().orElse(null);
        if (asked instanceof Command.CommitTransaction commit && logged instanceof Command.CommitTransaction other) {
            found.unless(
                    commit.transaction().id().equals(other.transaction().id()),
                    at,
                    "the answer to %s is another transaction's",
                    commit.transaction().id());
        } else if (asked instanceof Command.SubmitJob submit && logged instanceof Command.SubmitJob other) {
            found.unless(
                    submit.header().name().equals(other.header().name()),
                    at,
                    "the answer to the submission of %s is another job's",
                    submit.header().name());
        } else if (asked instanceof Command.StopJob stop && logged instanceof Command.StopJob other) {
            found.unless(
                    stop.job().equals(other.job()), at, "the answer to the stop of %s is another job's", stop.job());
        }
    }

    // ---- users

    /** A job that ended may be forgotten, and its name stays in the log. */
    private static Map<JobId, String> names(Evidence evidence) {
        Map<JobId, String> names = new HashMap<>();
        for (Step step : evidence.replay().steps()) {
            if (step.command().orElse(null) instanceof Command.SubmitJob submit) {
                Checker.created(step)
                        .ifPresent(job -> names.put(job, submit.header().name()));
            }
        }
        return names;
    }

    private static void compare(
            UserCall call, UserCall.Done told, @Nullable Step step, Map<JobId, String> names, Found found) {
        String at = Checker.time(told.atNanos());
        if (step == null) {
            addLost(at, told.version(), found);
            return;
        }
        found.unless(
                told.job().equals(call.job()),
                at,
                "%s of %s got the answer to %s",
                call.order().words(),
                call.job(),
                told.job());
        found.unless(
                isOf(call, told, step, names),
                at,
                "%s of %s was answered with version %d, generation %d, and the log has there %s: %s",
                call.order().words(),
                call.job(),
                told.version(),
                told.generation(),
                step.command().map(Command::toString).orElse("no command"),
                step.result());
    }

    /** The cell does nothing that it refuses, and knows the jobs that it has taken. */
    private static void checkRefusal(
            UserCall call, UserCall.Refused refused, Evidence evidence, Map<JobId, String> names, Found found) {
        boolean isWrong = switch (call.order()) {
            case SUBMIT -> refused.first() && names.containsValue(call.job());
            case STOP -> refused.unknown() && isKnown(call, evidence);
        };
        found.unless(
                !isWrong,
                Checker.time(refused.atNanos()),
                "%s of %s was refused, and the log has the job: %s",
                call.order().words(),
                call.job(),
                refused.problem());
    }

    /** A user was told before that the cell has it, and the cell has it at the end. */
    private static boolean isKnown(UserCall call, Evidence evidence) {
        return evidence.replay().end().job(call.job()).isPresent()
                && evidence.history().userCalls.stream()
                        .anyMatch(other -> other.order() == UserCall.Order.SUBMIT
                                && other.job().equals(call.job())
                                && other.answer() instanceof UserCall.Done told
                                && told.atNanos() <= call.askedAtNanos());
    }

    private static boolean isOf(UserCall call, UserCall.Done told, Step step, Map<JobId, String> names) {
        if (!(step.result() instanceof CommandResult.Done done)) {
            return false;
        }
        Command command = step.command().orElse(null);
        return switch (call.order()) {
            case SUBMIT ->
                command instanceof Command.SubmitJob submit
                        && submit.header().name().equals(call.job())
                        && done.generation() == told.generation();
            case STOP -> command instanceof Command.StopJob stop && call.job().equals(names.get(stop.job()));
        };
    }
}
