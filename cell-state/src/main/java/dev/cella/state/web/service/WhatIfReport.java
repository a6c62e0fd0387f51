package dev.cella.state.web.service;

import dev.cella.client.proto.WhatIf;
import dev.cella.client.proto.WhatIfCounts;
import dev.cella.client.proto.WhatIfScheduler;
import dev.cella.state.conflicts.ConflictSummary;
import dev.cella.state.conflicts.Totals;
import dev.cella.transactions.replay.RecordedWindow;
import dev.cella.transactions.replay.RecordedWindow.Arrival;
import dev.cella.transactions.replay.ReplayedCounts;
import dev.cella.transactions.replay.ReplayedScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The answer about a replayed window: what happened, the replay as it was and the replay with the change, by scheduler, and
 * sentences about what the replay does not know. Owned by the thread that answers.
 */
final class WhatIfReport {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final WhatIf.Builder answer;
    private final List<String> gaps = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<WhatIfCounts> happened = new ArrayList<>();
    private final List<List<ReplayedCounts>> replayed = new ArrayList<>();
    private final List<List<ReplayedCounts>> changed = new ArrayList<>();
    private boolean changesNothing = true;

    WhatIfReport(long fromMillis, long toMillis) {
        answer = WhatIf.newBuilder().setFromAt(Spans.time(fromMillis)).setToAt(Spans.time(toMillis));
    }

    // ---- what the replay does not know

    void shortened(int steps) {
        gaps.add("The window is shorter than asked for: a replay takes the newest " + steps + " steps of tasks.");
    }

    void leftOut(long tasks) {
        if (tasks > 0) {
            gaps.add(tasks + " tasks of the window are left out: their jobs are gone, or were submitted again since.");
        }
    }

    void unknownType(String scheduler, String type) {
        gaps.add(
                type.isEmpty()
                        ? scheduler + " has no session now; its type is not known, and batch stands for it."
                        : "Type " + type + " of " + scheduler + " cannot be replayed here; batch stands for it.");
    }

    void noDecisionTime(String scheduler) {
        gaps.add("No instance of " + scheduler + " reports how long it thinks; its decisions take no time.");
    }

    void change(List<String> words, String whose) {
        changesNothing = words.isEmpty();
        answer.setChange(changesNothing ? "" : String.join(", ", words) + " for " + whose);
    }

    // ---- counts

    void happened(RecordedWindow window, List<ReplayedScheduler> schedulers, ConflictSummary summary) {
        answer.setMachines(window.machines().size())
                .setJobs(window.arrivals().size())
                .setTasks(window.tasks());
        for (ReplayedScheduler scheduler : schedulers) {
            names.add(scheduler.name());
            List<Arrival> jobs = window.arrivals().stream()
                    .filter(job -> job.header().scheduler().equals(scheduler.name()))
                    .toList();
            Totals totals = summary.schedulers().stream()
                    .filter(row -> row.name().equals(scheduler.name()))
                    .map(ConflictSummary.SchedulerRow::totals)
                    .findFirst()
                    .orElse(Totals.NONE);
            happened.add(happened(jobs, totals));
        }
    }

    private static WhatIfCounts happened(List<Arrival> jobs, Totals totals) {
        List<Arrival> placed =
                jobs.stream().filter(job -> job.placedMillis().isPresent()).toList();
        WhatIfCounts.Builder counts = counts((double) totals.successful(), (double) totals.conflicted())
                .setClaimsAccepted((double) totals.claimsAccepted())
                .setClaimsConflicted((double) totals.claimsConflicted())
                .setJobs(jobs.size())
                .setJobsPlaced(placed.size());
        OptionalDouble wait = placed.stream()
                .mapToDouble(job -> (job.placedMillis().getAsLong() - job.atMillis()) / MILLIS_PER_SECOND)
                .average();
        wait.ifPresent(seconds -> counts.setWaitMeanSeconds(SchedulerRows.rounded(seconds)));
        return counts.build();
    }

    private static WhatIfCounts.Builder counts(double successful, double conflicted) {
        WhatIfCounts.Builder counts = WhatIfCounts.newBuilder()
                .setSuccessful(SchedulerRows.rounded(successful))
                .setConflicted(SchedulerRows.rounded(conflicted));
        if (successful > 0) {
            counts.setConflictFraction(SchedulerRows.rounded(conflicted / successful));
        }
        return counts;
    }

    void replayed(List<ReplayedCounts> run) {
        replayed.add(run);
    }

    void changed(List<ReplayedCounts> run) {
        changed.add(run);
    }

    // ---- the answer

    WhatIf message(long version) {
        for (int place = 0; place < names.size(); place++) {
            answer.addSchedulers(WhatIfScheduler.newBuilder()
                    .setName(names.get(place))
                    .setHappened(happened.get(place))
                    .setReplayed(mean(column(replayed, place)))
                    .setChanged(mean(column(changed, place))));
        }
        answer.setTotal(WhatIfScheduler.newBuilder()
                .setName("all")
                .setHappened(sum(happened))
                .setReplayed(mean(totals(replayed)))
                .setChanged(mean(totals(changed))));
        return answer.setVersion(version).addAllNotes(notes()).build();
    }

    private static List<ReplayedCounts> column(List<List<ReplayedCounts>> runs, int place) {
        return runs.stream().map(run -> run.get(place)).toList();
    }

    private static List<ReplayedCounts> totals(List<List<ReplayedCounts>> runs) {
        return runs.stream().map(WhatIfReport::total).toList();
    }

    private static ReplayedCounts total(List<ReplayedCounts> run) {
        long placed = run.stream().mapToLong(ReplayedCounts::jobsPlaced).sum();
        double waits = run.stream()
                .mapToDouble(each -> each.jobsPlaced() * each.waitMeanSeconds().orElse(0))
                .sum();
        return new ReplayedCounts(
                "all",
                run.stream().mapToLong(ReplayedCounts::transactionsSuccessful).sum(),
                run.stream().mapToLong(ReplayedCounts::transactionsConflicted).sum(),
                run.stream().mapToLong(ReplayedCounts::claimsAccepted).sum(),
                run.stream().mapToLong(ReplayedCounts::claimsConflicted).sum(),
                run.stream().mapToLong(ReplayedCounts::jobs).sum(),
                placed,
                placed == 0 ? OptionalDouble.empty() : OptionalDouble.of(waits / placed),
                run.stream().mapToDouble(ReplayedCounts::busyFraction).average().orElse(0),
                run.stream()
                        .mapToDouble(ReplayedCounts::wastedFraction)
                        .average()
                        .orElse(0));
    }

    private static WhatIfCounts sum(List<WhatIfCounts> rows) {
        double placed = rows.stream().mapToDouble(WhatIfCounts::getJobsPlaced).sum();
        double waits = rows.stream()
                .mapToDouble(row -> row.getJobsPlaced() * row.getWaitMeanSeconds())
                .sum();
        WhatIfCounts.Builder total = counts(
                        rows.stream().mapToDouble(WhatIfCounts::getSuccessful).sum(),
                        rows.stream().mapToDouble(WhatIfCounts::getConflicted).sum())
                .setClaimsAccepted(rows.stream()
                        .mapToDouble(WhatIfCounts::getClaimsAccepted)
                        .sum())
                .setClaimsConflicted(rows.stream()
                        .mapToDouble(WhatIfCounts::getClaimsConflicted)
                        .sum())
                .setJobs(rows.stream().mapToDouble(WhatIfCounts::getJobs).sum())
                .setJobsPlaced(placed);
        if (placed > 0) {
            total.setWaitMeanSeconds(SchedulerRows.rounded(waits / placed));
        }
        return total.build();
    }

    private static WhatIfCounts mean(List<ReplayedCounts> runs) {
        WhatIfCounts.Builder mean = counts(
                        mean(runs, ReplayedCounts::transactionsSuccessful),
                        mean(runs, ReplayedCounts::transactionsConflicted))
                .setClaimsAccepted(mean(runs, ReplayedCounts::claimsAccepted))
                .setClaimsConflicted(mean(runs, ReplayedCounts::claimsConflicted))
                .setClaimsConflictedMin((double) runs.stream()
                        .mapToLong(ReplayedCounts::claimsConflicted)
                        .min()
                        .orElse(0))
                .setClaimsConflictedMax((double) runs.stream()
                        .mapToLong(ReplayedCounts::claimsConflicted)
                        .max()
                        .orElse(0))
                .setJobs(mean(runs, ReplayedCounts::jobs))
                .setJobsPlaced(mean(runs, ReplayedCounts::jobsPlaced))
                .setWastedBusyFraction(mean(runs, ReplayedCounts::wastedFraction));
        runs.stream()
                .flatMapToDouble(run -> run.waitMeanSeconds().stream())
                .average()
                .ifPresent(seconds -> mean.setWaitMeanSeconds(SchedulerRows.rounded(seconds)));
        return mean.build();
    }

    private static double mean(List<ReplayedCounts> runs, ToDoubleFunction<ReplayedCounts> figure) {
        return SchedulerRows.rounded(runs.stream().mapToDouble(figure).average().orElse(0));
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(
                "Replayed with the cell's own conflict rule, loop and planners: the jobs at their times, each task for as"
                        + " long as it ran, on the machines as they are now. A task that still runs stays to the end.");
        notes.add(
                "A plan takes the mean time that its scheduler reports. Its transaction is decided as late as the median"
                        + " age of the scheduler's plans says.");
        notes.add(
                "Not replayed: machines and tasks that failed, restarts, updates, quotas, rights, offers, and options that"
                        + " differ from the defaults of the scheduler's type. Ports and devices are counted, whichever they are.");
        notes.addAll(gaps);
        notes.add(
                changesNothing
                        ? "Nothing was changed: the last two columns are the same replay."
                        : "Compare the two replays with each other. The distance between what happened and the replay as it was"
                                + " shows how far to trust them.");
        return notes;
    }
}
