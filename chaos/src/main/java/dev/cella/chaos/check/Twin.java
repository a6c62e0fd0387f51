package dev.cella.chaos.check;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checker.Found;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobState;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** C18: the same seed without faults. The difference in waits, evictions and conflicts is the cost of the faults. */
public final class Twin {
    /** Its number in the catalogue. */
    public static final String NUMBER = "C18";

    static final String HOLDS = "The fault-free twin places no job that the run left out.";

    /** The costs of a run, as counts of its log. */
    public record Cost(long placements, long conflicts, long evictions, long entries, long waitMillisMean) {
        static Cost of(Evidence evidence) {
            long placements = 0;
            long conflicts = 0;
            long evictions = 0;
            for (Step step : evidence.replay().steps()) {
                if (step.result() instanceof CommandResult.Decided decided) {
                    placements += decided.outcome().accepted();
                    conflicts += decided.outcome().results().stream()
                            .filter(ItemResult::conflict)
                            .count();
                    evictions += step.command().orElse(null) instanceof Command.CommitTransaction commit
                            ? commit.transaction().evictions().size()
                            : 0;
                }
            }
            return new Cost(
                    placements,
                    conflicts,
                    evictions,
                    evidence.history().log.size(),
                    PlacementWaits.meanMillis(evidence));
        }
    }

    private final Evidence faulted;
    private final Evidence sound;

    public Twin(Evidence faulted, Evidence sound) {
        this.faulted = faulted;
        this.sound = sound;
    }

    /** The cost of one run. */
    public static Cost costOf(Evidence evidence) {
        return Cost.of(evidence);
    }

    public Cost costWithFaults() {
        return Cost.of(faulted);
    }

    public Cost costWithout() {
        return Cost.of(sound);
    }

    /** Jobs that the twin finished, and that nobody stopped, are finished or under way with faults too. */
    public Verdict verdict() {
        Found found = new Found();
        Set<String> working =
                Placeable.workingSchedulers(faulted.history(), faulted.replay().end());
        Set<String> never = jobs(faulted.replay().end(), false, working);
        Set<String> finished = jobs(sound.replay().end(), true, working);
        boolean judged = !finished.isEmpty();
        finished.retainAll(never);
        for (String job : finished) {
            boolean fits = faulted.replay()
                    .end()
                    .job(job)
                    .filter(row -> !Placeable.needsMoreAtOnce(row.header()))
                    .filter(row -> Placeable.fitsSomewhere(
                            faulted.replay().end(), row.header().groups().get(0).shape()))
                    .isPresent();
            found.unless(!fits, "the end", "%s finished without faults, and never began with them", job);
        }
        return new Verdict(NUMBER, HOLDS, judged, found.all());
    }

    private static Set<String> jobs(CellView end, boolean finished, Set<String> working) {
        return end.jobs().stream()
                .filter(job -> working.contains(job.header().scheduler()))
                .filter(job -> finished ? job.state() == JobState.FINISHED : neverBegan(end, job))
                .map(JobRow::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean neverBegan(CellView end, JobRow job) {
        return !job.isEnded()
                && job.groups().stream().allMatch(group -> {
                    for (int index = 0; index < group.header().count(); index++) {
                        if (end.task(group, index).attempt() > 0) {
                            return false;
                        }
                    }
                    return true;
                });
    }
}
