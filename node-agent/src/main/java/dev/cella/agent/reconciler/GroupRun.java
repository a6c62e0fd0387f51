package dev.cella.agent.reconciler;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How to run the tasks of one group, from their job's specification. */
public record GroupRun(
        String job,
        String group,
        List<String> command,
        Map<String, String> environment,
        Optional<String> directory,
        long stopGraceMillis,
        RunSettings settings) {
    public GroupRun {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the tasks of " + job + "/" + group + " have no command");
        }
        if (stopGraceMillis < 0) {
            throw new IllegalArgumentException("a grace is not negative: " + stopGraceMillis);
        }
    }

    /** Only a command, with the defaults for everything else. */
    public GroupRun(
            String job,
            String group,
            List<String> command,
            Map<String, String> environment,
            Optional<String> directory,
            long stopGraceMillis) {
        this(job, group, command, environment, directory, stopGraceMillis, RunSettings.PLAIN);
    }

    /** For a copy of the group's task at that index. The twin of a task of another cell stays that task. */
    GroupRun asCopy(int index, int attempt) {
        Optional<HomeTask> task = settings.home().or(() -> Optional.of(new HomeTask(job, group, index, attempt)));
        return new GroupRun(job, group, command, environment, directory, stopGraceMillis, settings.asAnother(task));
    }
}
