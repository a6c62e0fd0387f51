package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.MachineFact;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * C20: no job stays without any task while its scheduler often places tasks of younger jobs that are no smaller and no more
 * important, or those of less important ones while it could have placed this one with evictions.
 *
 * <p>Faults make schedulers wait, plan on stale views and lose claims to rivals. So in a run with faults only a job that got
 * nothing until the end counts, and nobody asks what could have been evicted.
 */
final class NoStarvation implements Checker {
    private static final int PASSED_OVER_MAX = 15;
    private static final int PASSED_OVER_WITH_FAULTS_MAX = 50;
    private static final int OVERTAKEN_MAX = 40;

    @Override
    public String number() {
        return "C20";
    }

    @Override
    public String holds() {
        return "No job that fits is passed over more than 15 times by younger, no smaller, no more important jobs, or 40"
                + " times by less important ones while it could evict some; with faults, 50 times until the end.";
    }

    /** One job alone is passed over by nobody. */
    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream()
                        .filter(step -> Checker.created(step).isPresent())
                        .limit(2)
                        .count()
                == 2;
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Sweep sweep = new Sweep(
                Placeable.workingSchedulers(
                        evidence.history(), evidence.replay().end()),
                evidence.history().faults.isEmpty());
        evidence.replay().steps().forEach(sweep::add);
        CellView end = evidence.replay().end();
        sweep.waiting.forEach((id, job) -> {
            if (end.job(id).filter(row -> !row.isEnded()).isPresent()) {
                sweep.check(id, job);
            }
        });
        return sweep.found.all();
    }

    /** A job that has got nothing yet. */
    private static final class WaitingJob {
        private final JobHeader header;
        private int passedOver;

        /** How often less important jobs got tasks placed since it last could not have evicted enough. */
        private int overtaken;

        private int overtakenMax;

        WaitingJob(JobHeader header) {
            this.header = header;
        }
    }

    /** One pass over the log. */
    private static final class Sweep {
        private final Found found = new Found();
        private final Set<String> working;
        private final boolean undisturbed;
        private final Map<JobId, JobHeader> headers = new HashMap<>();
        private final Map<JobId, WaitingJob> waiting = new LinkedHashMap<>();
        private final Set<String> evicting = new HashSet<>();
        private final Set<String> limitedPools = new HashSet<>();
        private final HeldOnMachines held = new HeldOnMachines();

        Sweep(Set<String> working, boolean undisturbed) {
            this.working = working;
            this.undisturbed = undisturbed;
        }

        void add(Step step) {
            held.add(step);
            if (step.command().orElse(null) instanceof Command.SubmitJob submit
                    && Checker.created(step).isPresent()) {
                submitted(new JobId(step.version()), submit.header());
            } else if (step.command().orElse(null) instanceof Command.CommitTransaction commit
                    && step.result() instanceof CommandResult.Decided decided) {
                decided(commit.transaction(), decided);
            } else if (step.command().orElse(null) instanceof Command.StopJob stop) {
                waiting.remove(stop.job());
            } else if (step.command().orElse(null) instanceof Command.PutPool pool) {
                limitedPools.add(pool.path());
            }
        }

        private void submitted(JobId id, JobHeader header) {
            headers.put(id, header);
            if (working.contains(header.scheduler()) && !Placeable.needsMoreAtOnce(header)) {
                waiting.put(id, new WaitingJob(header));
            }
        }

        private void decided(Transaction transaction, CommandResult.Decided decided) {
            if (decided.outcome().accepted() > 0 && !transaction.evictions().isEmpty()) {
                evicting.add(transaction.scheduler());
            }
            Map<JobId, Set<Integer>> groups = new HashMap<>();
            for (int claim = 0; claim < transaction.claims(); claim++) {
                if (claim < decided.outcome().items() && decided.outcome().isPlaced(claim)) {
                    TaskId task = transaction.task(claim);
                    groups.computeIfAbsent(task.job(), job -> new HashSet<>()).add(task.group());
                }
            }
            for (JobId lucky : groups.keySet()) {
                WaitingJob first = waiting.remove(lucky);
                if (first != null && undisturbed) {
                    check(lucky, first);
                }
            }
            groups.forEach((lucky, placed) -> {
                JobHeader header = headers.get(lucky);
                if (header != null) {
                    waiting.forEach((id, job) -> count(id, job, lucky, header, placed));
                }
            });
        }

        private void count(JobId id, WaitingJob job, JobId lucky, JobHeader other, Set<Integer> placedGroups) {
            job.passedOver += isPassedOver(id, job.header, lucky, other, placedGroups) ? 1 : 0;
            if (undisturbed && isBehind(id, job.header, lucky, other)) {
                job.overtaken = couldEvict(job.header) ? job.overtaken + 1 : 0;
                job.overtakenMax = Math.max(job.overtakenMax, job.overtaken);
            }
        }

        private void check(JobId id, WaitingJob job) {
            found.unless(
                    job.passedOver <= (undisturbed ? PASSED_OVER_MAX : PASSED_OVER_WITH_FAULTS_MAX),
                    Checker.version(id.version()),
                    "job %s was passed over by %d transactions of younger jobs",
                    id,
                    job.passedOver);
            found.unless(
                    job.overtakenMax <= OVERTAKEN_MAX || limitedPools.contains(job.header.pool()),
                    Checker.version(id.version()),
                    "job %s was overtaken %d times by less important jobs that it could have evicted",
                    id,
                    job.overtakenMax);
        }

        private boolean isBehind(JobId id, JobHeader job, JobId lucky, JobHeader other) {
            return id.version() < lucky.version()
                    && job.scheduler().equals(other.scheduler())
                    && job.pool().equals(other.pool())
                    && job.priority() > other.priority();
        }

        /** Only a scheduler that evicts for its claims could have placed the job. */
        private boolean couldEvict(JobHeader job) {
            return evicting.contains(job.scheduler())
                    && job.groups().stream()
                            .anyMatch(group -> held.fitsEvicting(group.shape(), job.priority(), headers));
        }
    }

    /** What the tasks on each ready machine hold, and what is free. */
    private static final class HeldOnMachines {
        private final Map<Integer, Amounts> free = new HashMap<>();
        private final Map<Integer, Map<TaskId, TaskFact>> tasks = new HashMap<>();
        private final Map<TaskId, Integer> machines = new HashMap<>();

        void add(Step step) {
            for (MachineFact machine : step.machines()) {
                if (machine.status() == MachineStatus.READY) {
                    free.put(machine.slot(), machine.free());
                } else {
                    free.remove(machine.slot());
                }
            }
            for (TaskFact task : step.tasks()) {
                Integer before = machines.remove(task.task());
                if (before != null) {
                    tasks.getOrDefault(before, Map.of()).remove(task.task());
                }
                if (task.machine() >= 0) {
                    machines.put(task.task(), task.machine());
                    tasks.computeIfAbsent(task.machine(), slot -> new HashMap<>())
                            .put(task.task(), task);
                }
            }
        }

        /** Returns whether the shape fits on a machine if all tasks of less important jobs leave it. */
        boolean fitsEvicting(Amounts shape, int priority, Map<JobId, JobHeader> headers) {
            return free.keySet().stream().anyMatch(machine -> fitsEvicting(machine, shape, priority, headers));
        }

        private boolean fitsEvicting(int machine, Amounts shape, int priority, Map<JobId, JobHeader> headers) {
            long[] room = new long[shape.size()];
            addTo(room, Objects.requireNonNull(free.get(machine)));
            tasks.getOrDefault(machine, Map.of()).forEach((id, task) -> {
                JobHeader header = headers.get(id.job());
                if (header != null && header.priority() < priority) {
                    addTo(room, task.resources());
                }
            });
            return IntStream.range(0, room.length).allMatch(dimension -> shape.at(dimension) <= room[dimension]);
        }

        private static void addTo(long[] room, Amounts more) {
            for (int dimension = 0; dimension < room.length && dimension < more.size(); dimension++) {
                room[dimension] += more.at(dimension);
            }
        }
    }

    private static boolean isPassedOver(
            JobId id, JobHeader waiting, JobId lucky, JobHeader other, Set<Integer> placedGroups) {
        return id.version() < lucky.version()
                && !Placeable.needsMoreAtOnce(other)
                && waiting.scheduler().equals(other.scheduler())
                && waiting.pool().equals(other.pool())
                && waiting.priority() >= other.priority()
                && waiting.tasks() <= other.tasks()
                && placedGroups.stream()
                        .anyMatch(group ->
                                isNoLarger(waiting, other.groups().get(group).shape()));
    }

    /**
     * Returns whether a task of the job would have fitted where one of that shape was placed. Each of its groups counts, because
     * none of its tasks was ever placed.
     */
    private static boolean isNoLarger(JobHeader waiting, Amounts placed) {
        return waiting.groups().stream()
                .anyMatch(group -> IntStream.range(0, 2)
                        .allMatch(dimension -> group.shape().at(dimension) <= placed.at(dimension)));
    }
}
