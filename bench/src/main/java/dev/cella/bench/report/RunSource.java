package dev.cella.bench.report;

import java.util.List;
import java.util.Map;

/**
 * Runs of one bench under one set of conditions.
 *
 * @param command makes such a run
 * @param conditions fields of the run with their values as text
 */
record RunSource(String command, Map<String, String> conditions) {
    private static final String BEGIN = "cella bench ";

    RunSource {
        if (!command.startsWith(BEGIN)) {
            throw new IllegalArgumentException("no command of a bench: " + command);
        }
    }

    /** Runs of exactly this command, where a run does not keep what else it depends on. */
    static RunSource asTyped(String command) {
        return new RunSource(command, Map.of("command", command));
    }

    String bench() {
        return command.substring(BEGIN.length()).split(" ", -1)[0];
    }

    /** Its runs, as they were kept. */
    List<KeptRun> of(List<KeptRun> kept) {
        return kept.stream()
                .filter(run -> run.bench().equals(bench()) && run.has(conditions))
                .toList();
    }
}
