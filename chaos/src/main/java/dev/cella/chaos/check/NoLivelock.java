package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.MachineFact;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** C14: a claim that was refused is not sent again, for the same task and machine, while neither has changed. */
final class NoLivelock implements Checker {
    private static final int REPETITIONS_MAX = 2;

    private record Claimed(TaskId task, int machine, Reason reason) {}

    private record Refused(long version, int times) {}

    @Override
    public String number() {
        return "C14";
    }

    @Override
    public String holds() {
        return "The same claim is not refused again and again for the same reason against unchanged state.";
    }

    /** Only a claim that was refused can be sent in vain. */
    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream()
                .anyMatch(step -> step.result() instanceof CommandResult.Decided decided
                        && decided.outcome().results().stream().anyMatch(item -> !item.accepted()));
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<Claimed, Refused> refused = new HashMap<>();
        Map<Integer, Long> machines = new HashMap<>();
        Map<TaskId, Long> tasks = new HashMap<>();
        long anyTask = 0;
        for (Step step : evidence.replay().steps()) {
            if (step.command().orElse(null) instanceof Command.CommitTransaction commit
                    && step.result() instanceof CommandResult.Decided decided
                    && !evidence.history()
                            .untrusted
                            .contains(commit.transaction().scheduler())) {
                check(step, commit.transaction(), decided.outcome(), refused, machines, tasks, anyTask, found);
            }
            for (MachineFact machine : step.machines()) {
                machines.put(machine.slot(), step.version());
            }
            for (TaskFact task : step.tasks()) {
                tasks.put(task.task(), step.version());
                anyTask = step.version();
            }
        }
        return found.all();
    }

    private static void check(
            Step step,
            Transaction transaction,
            Outcome outcome,
            Map<Claimed, Refused> refused,
            Map<Integer, Long> machines,
            Map<TaskId, Long> tasks,
            long anyTask,
            Found found) {
        for (int claim = 0; claim < Math.min(transaction.claims(), outcome.items()); claim++) {
            ItemResult result = outcome.result(claim);
            if (result.accepted() || result.reason().equals(Optional.of(Reason.ABORTED))) {
                continue;
            }
            Claimed key = new Claimed(
                    transaction.task(claim),
                    transaction.machine(claim),
                    result.reason().orElseThrow());
            Refused before = refused.get(key);
            long changed = Math.max(machines.getOrDefault(key.machine(), 0L), tasks.getOrDefault(key.task(), 0L));
            if (key.reason() == Reason.QUOTA) {
                changed = Math.max(changed, anyTask);
            }
            int times = before != null
                            && changed <= before.version()
                            && transaction.basis().number() >= before.version()
                    ? before.times() + 1
                    : 0;
            found.unless(
                    times < REPETITIONS_MAX,
                    Checker.version(step.version()),
                    "%s claims %s on slot %d for the %dth time and is refused: %s",
                    transaction.scheduler(),
                    key.task(),
                    key.machine(),
                    times + 1,
                    key.reason());
            refused.put(key, new Refused(step.version(), times));
        }
    }
}
