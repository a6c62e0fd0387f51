package dev.cella.agent.logs;

import java.nio.file.Path;

/** The name of one attempt's folder and its place in URLs: the same five parts in both. */
public record AttemptKey(String machine, long job, int group, int index, int attempt) {
    public AttemptKey {
        if (machine.isEmpty() || machine.startsWith(".") || machine.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not the name of a machine: " + machine);
        }
    }

    Path folder(Path root) {
        return root.resolve(machine)
                .resolve(Long.toString(job))
                .resolve(Integer.toString(group))
                .resolve(Integer.toString(index))
                .resolve(Integer.toString(attempt));
    }
}
