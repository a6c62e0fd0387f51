package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.MachineFact;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * C19: a sweep over versions after the core was healed. A job that had room for all that time, but got nothing, should have
 * been placed.
 */
final class WorkConservation implements Checker {
    private static final long BOUND_NANOS = 15_000_000_000L;
    private static final long TURNS = 10;
    private static final long LOOK_NANOS = 1_000_000_000L;

    @Override
    public String number() {
        return "C19";
    }

    @Override
    public String holds() {
        return "No task waits while a machine has had room for it for 15 s and ten turns of each job of its scheduler.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.history().healedAtNanos().isPresent() && swept(evidence).anyWaited;
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        return evidence.history().healedAtNanos().isPresent()
                ? swept(evidence).found.all()
                : List.of();
    }

    private static Sweep swept(Evidence evidence) {
        Sweep sweep = new Sweep(evidence);
        evidence.replay().steps().forEach(sweep::add);
        sweep.lookUntil(evidence.history().endedAtNanos());
        return sweep;
    }

    private static final class Sweep {
        private final Found found = new Found();
        private final Map<JobId, JobHeader> jobs = new LinkedHashMap<>();
        private final Map<JobId, Set<Integer>> begun = new HashMap<>();
        private final Map<Integer, MachineFact> machines = new TreeMap<>();
        private final Map<JobId, Map<Integer, Long>> roomSince = new HashMap<>();
        private final Map<String, Long> decisionMillis;
        private long lookedAt;
        private boolean anyWaited;

        Sweep(Evidence evidence) {
            decisionMillis = evidence.history().decisionMillis;
            lookedAt = evidence.history().healedAtNanos().orElseThrow();
            Set<String> working = Placeable.workingSchedulers(
                    evidence.history(), evidence.replay().end());
            for (JobRow job : evidence.replay().end().jobs()) {
                boolean plain = job.groups().size() == 1 && !Placeable.needsMoreAtOnce(job.header());
                if (plain && working.contains(job.header().scheduler())) {
                    begun.put(job.id(), new HashSet<>());
                }
            }
        }

        void add(Step step) {
            lookUntil(step.atNanos());
            step.machines().forEach(this::machine);
            if (step.command().orElse(null) instanceof Command.SubmitJob submit
                    && Checker.created(step).filter(begun::containsKey).isPresent()) {
                jobs.put(new JobId(step.version()), submit.header());
            }
            step.tasks().forEach(this::task);
            if (step.command().orElse(null) instanceof Command.StopJob stop) {
                jobs.remove(stop.job());
            } else if (step.command().orElse(null) instanceof Command.ScaleGroup scale) {
                jobs.remove(scale.job());
            }
        }

        /** Room that another job takes does not count, even if there is room again at the next look. */
        private void machine(MachineFact machine) {
            machines.put(machine.slot(), machine);
            roomSince.forEach((id, since) -> {
                JobHeader header = jobs.get(id);
                if (header == null || !fits(machine, header.groups().get(0).shape())) {
                    since.remove(machine.slot());
                }
            });
        }

        void lookUntil(long nanos) {
            while (nanos > lookedAt + LOOK_NANOS) {
                lookAt(lookedAt + LOOK_NANOS);
            }
        }

        /** Jobs whose tasks have all begun once are ignored here; another checker covers restarts. */
        private void task(TaskFact task) {
            JobHeader header = jobs.get(task.task().job());
            Set<Integer> ofJob = begun.get(task.task().job());
            if (header == null || ofJob == null) {
                return;
            }
            if (task.state() != TaskState.PENDING) {
                ofJob.add(task.task().index());
                roomSince.remove(task.task().job());
            }
            if (ofJob.size() >= header.tasks()) {
                jobs.remove(task.task().job());
            }
        }

        private void lookAt(long nanos) {
            lookedAt = nanos;
            anyWaited |= !jobs.isEmpty();
            jobs.forEach((id, header) -> machines.values().stream()
                    .filter(machine -> fits(machine, header.groups().get(0).shape()))
                    .forEach(machine -> lookAt(nanos, id, header, machine)));
        }

        private void lookAt(long nanos, JobId id, JobHeader header, MachineFact machine) {
            Map<Integer, Long> ofJob = roomSince.computeIfAbsent(id, first -> new TreeMap<>());
            long since = ofJob.computeIfAbsent(machine.slot(), first -> nanos);
            if (nanos - since > BOUND_NANOS + turnsNanos(header.scheduler())) {
                found.add(
                        Checker.time(nanos),
                        "%s waits for scheduler %s, and the machine in slot %d has had room since %s",
                        header.name(),
                        header.scheduler(),
                        machine.slot(),
                        Checker.time(since));
                ofJob.put(machine.slot(), nanos);
            }
        }

        /** A scheduler with many jobs takes long until each has had its turn. */
        private long turnsNanos(String scheduler) {
            long open = jobs.values().stream()
                    .filter(header -> header.scheduler().equals(scheduler))
                    .count();
            return TURNS * open * decisionMillis.getOrDefault(scheduler, 0L) * 1_000_000;
        }

        private static boolean fits(MachineFact machine, Amounts shape) {
            return machine.status() == MachineStatus.READY && isRoom(machine.free(), shape);
        }

        private static boolean isRoom(Amounts free, Amounts shape) {
            for (int dimension = 0; dimension < shape.size(); dimension++) {
                if (shape.at(dimension) > free.at(dimension)) {
                    return false;
                }
            }
            return true;
        }
    }
}
