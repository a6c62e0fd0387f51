package dev.cella.chaos.simulated;

import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.JobRuns;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Specification;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a simulated job's tasks do, as its specification says it: one line for each group, with the run time in
 * milliseconds (0 forever), one failure in how many attempts (0 none), and whether it ignores TERM.
 */
record RunText(long runMillis, int attemptsToOneFailure, boolean ignoresTerm) {
    static Specification specification(List<RunText> groups) {
        StringBuilder text = new StringBuilder();
        groups.forEach(group -> text.append(group.line()).append('\n'));
        return Specification.of(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private String line() {
        return runMillis + " " + attemptsToOneFailure + " " + ignoresTerm;
    }

    static JobRuns runs(JobId job, int generation, Specification specification) {
        List<GroupRun> groups = new String(specification.bytes(), StandardCharsets.UTF_8)
                .lines()
                .map(line -> new GroupRun(
                        job.toString(), "group", Arrays.asList(line.split(" ")), Map.of(), Optional.empty(), 500))
                .toList();
        return new JobRuns(job, generation, groups);
    }

    static RunText of(GroupRun run) {
        List<String> words = run.command();
        return new RunText(
                Long.parseLong(words.get(0)), Integer.parseInt(words.get(1)), Boolean.parseBoolean(words.get(2)));
    }
}
