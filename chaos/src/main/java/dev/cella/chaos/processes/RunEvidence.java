package dev.cella.chaos.processes;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay;
import dev.cella.chaos.history.Replay.MachineFact;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.chaos.history.Timeline;
import dev.cella.chaos.history.UserCall;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Joins what the servers, the agents and the users wrote into one history, by the log. */
final class RunEvidence {
    private static final long MILLI = 1_000_000;

    private record Attempt(TaskId task, int attempt) {}

    private final History history;
    private final long beganMillis;

    /**
     * @param beganMillis the wall clock's time at which the run began
     */
    RunEvidence(History history, long beganMillis) {
        this.history = history;
        this.beganMillis = beganMillis;
    }

    private long nanos(long wallMillis) {
        return (wallMillis - beganMillis) * MILLI;
    }

    // ---- the replicas' logs

    /**
     * The log is what a majority of the replicas has; where two replicas differ before its end, the log has split. A replica that
     * began with a checkpoint has no first entries, and another one has them.
     */
    void takeLogs(List<ReplicaLog> logs) {
        logs.stream()
                .filter(log -> !log.damage().isEmpty())
                .forEach(log -> history.logDivergences.add(log.replica() + ": " + log.damage()));
        if (logs.stream().noneMatch(ReplicaLog::isWhole)) {
            history.logDivergences.add("no replica has the first entries of the log");
        }
        long[] ends = logs.stream().mapToLong(ReplicaLog::lastIndex).sorted().toArray();
        long committed = ends[(ends.length - 1) / 2];
        NavigableMap<Long, byte[]> all = new TreeMap<>();
        for (ReplicaLog log : logs) {
            join(all, log, committed);
        }
        takeEntries(all.values());
    }

    private void join(NavigableMap<Long, byte[]> all, ReplicaLog log, long committed) {
        for (Map.Entry<Long, byte[]> entry :
                log.entries().headMap(committed, true).entrySet()) {
            byte[] known = all.putIfAbsent(entry.getKey(), entry.getValue());
            if (known != null && !Arrays.equals(known, entry.getValue())) {
                history.logDivergences.add(
                        "%s has another entry %d than a replica before it".formatted(log.replica(), entry.getKey()));
                return;
            }
        }
    }

    /**
     * An entry has the time of its leader's wall clock. A clock that jumped shows a time outside the run; the cell time since the
     * entry before it is right then.
     */
    private void takeEntries(Collection<byte[]> entries) {
        long before = 0;
        CellTime cellTimeBefore = CellTime.ZERO;
        for (byte[] bytes : entries) {
            EntryHeader header = EntryCodec.decode(bytes).header();
            long at = nanos(header.wallTimeMillis());
            if (at > history.endedAtNanos() || (at < 0 && before > 0)) {
                at = before + Math.max(0, header.cellTime().millis() - cellTimeBefore.millis()) * MILLI;
            }
            history.log.add(new History.LogEntry(at, bytes));
            before = at;
            cellTimeBefore = header.cellTime();
        }
    }

    // ---- what users saw

    /** As the users saw it: nothing of it comes from the log. */
    void takeCalls(List<UserCall> calls, List<ProcessUsers.Seen> reads) {
        history.userCalls.addAll(calls);
        reads.forEach(each -> history.reads.add(
                new History.Read("users", each.askedAtNanos(), each.answeredAtNanos(), each.version())));
    }

    // ---- the agents and their journals

    /**
     * After the healing every agent works until the end. What its machine has is what it registered.
     */
    void takeAgents(List<String> machines, Replay replay) {
        for (String machine : machines) {
            history.running.computeIfAbsent(machine, none -> new ArrayList<>());
            history.tended.add(machine);
        }
        for (Step step : replay.steps()) {
            for (MachineFact fact : step.machines()) {
                fact.name().ifPresent(name -> history.capacities.put(name, fact.capacity()));
            }
        }
    }

    void takeJournals(List<AgentJournal.Attempt> attempts, Replay replay) {
        Map<Attempt, TaskFact> placed = new HashMap<>();
        replay.steps()
                .forEach(step -> step.tasks().stream()
                        .filter(task -> task.placement().isPresent())
                        .forEach(task -> placed.putIfAbsent(new Attempt(task.task(), task.attempt()), task)));
        for (AgentJournal.Attempt each : attempts) {
            history.running.computeIfAbsent(each.machine(), machine -> new ArrayList<>());
            TaskId task = new TaskId(new JobId(each.job()), each.group(), each.index());
            TaskFact fact = placed.get(new Attempt(task, each.attempt()));
            if (fact == null) {
                history.logDivergences.add(
                        each.machine() + " ran " + task + " attempt " + each.attempt() + ", which no entry placed");
                continue;
            }
            PlacementId placement = fact.placement().orElseThrow();
            long startedAt = nanos(each.startedMillis());
            history.started.add(new History.ProcessStarted(
                    each.machine(), startedAt, placement, task, each.attempt(), fact.resources()));
            if (each.endedMillis().isPresent()) {
                // Two clocks: a process of a few milliseconds may seem to end first.
                long endedAt = Math.max(startedAt + 1, nanos(each.endedMillis().getAsLong()));
                history.ended.add(new History.ProcessEnded(each.machine(), endedAt, placement));
            } else {
                history.running.get(each.machine()).add(placement);
            }
        }
    }

    // ---- the time line

    /** The samples with what the log had done by then. */
    static Timeline timeline(List<Timeline.Sample> samples, Replay replay) {
        Timeline timeline = new Timeline();
        int next = 0;
        long placements = 0;
        long conflicts = 0;
        for (Timeline.Sample sample : samples) {
            while (next < replay.steps().size() && replay.steps().get(next).atNanos() <= sample.atMillis() * MILLI) {
                if (replay.steps().get(next).result() instanceof CommandResult.Decided decided) {
                    placements += decided.outcome().accepted();
                    conflicts += decided.outcome().results().stream()
                            .filter(ItemResult::conflict)
                            .count();
                }
                next++;
            }
            timeline.add(new Timeline.Sample(
                    sample.atMillis(), sample.leader(), placements, conflicts, sample.pending(), sample.running()));
        }
        return timeline;
    }
}
