package dev.cella.agent.runner;

import dev.cella.agent.keeper.TaskProcesses;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.HomeTask;
import dev.cella.agent.reconciler.Launch;
import dev.cella.client.job.ArgumentTemplate;
import dev.cella.client.job.PortNames;
import dev.cella.transactions.model.MemberSet;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The values for the variables in an attempt's command, and its environment. */
record TaskEnvironment(Map<String, String> values, Map<String, String> variables) {
    private static final String LANGUAGE_DEFAULT = "C.UTF-8";

    /** A task inherits only the machine's language from the agent. */
    static TaskEnvironment of(String machine, Launch launch, String mark, Path home, Optional<String> language) {
        GroupRun run = launch.run();
        HomeTask task = run.settings().home().orElseGet(() -> ownTask(launch));
        Map<String, String> values = new LinkedHashMap<>();
        values.put("index", Integer.toString(task.index()));
        values.put("job", task.job());
        values.put("group", task.group());
        values.put("machine", machine);
        values.put("attempt", Integer.toString(task.attempt()));

        if (run.settings().hosts()) {
            values.put(ArgumentTemplate.HOSTS_FILE, HostsFile.in(home).toString());
        }

        Map<String, Long> ports = ports(launch);
        ports.forEach((name, number) -> values.put("port." + name, Long.toString(number)));

        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PATH", Programs.PATH_DEFAULT);
        variables.put("HOME", home.toString());
        variables.put("LANG", language.orElse(LANGUAGE_DEFAULT));
        variables.putAll(run.environment());
        variables.put("CELLA_TASK_INDEX", values.get("index"));
        variables.put("CELLA_JOB", task.job());
        variables.put("CELLA_GROUP", task.group());
        variables.put("CELLA_MACHINE", machine);
        variables.put("CELLA_ATTEMPT", values.get("attempt"));
        if (run.settings().hosts()) {
            variables.put("CELLA_HOSTS_FILE", HostsFile.in(home).toString());
        }
        ports.forEach((name, number) ->
                variables.put("CELLA_PORT_" + name.toUpperCase(Locale.ROOT).replace('-', '_'), Long.toString(number)));
        launch.members().forEach((dimension, members) -> {
            if (!dimension.equals(PortNames.DIMENSION)) {
                variables.put("CELLA_" + dimension.toUpperCase(Locale.ROOT), members);
            }
        });
        putVisibleGpus(launch, variables);
        variables.put(TaskProcesses.MARK_VARIABLE, mark);
        return new TaskEnvironment(values, variables);
    }

    private static HomeTask ownTask(Launch launch) {
        Assignment assignment = launch.assignment();
        GroupRun run = launch.run();
        return new HomeTask(run.job(), run.group(), assignment.task().index(), assignment.attempt());
    }

    /** CUDA programs use all GPUs of the machine unless they are told otherwise. */
    private static void putVisibleGpus(Launch launch, Map<String, String> variables) {
        String gpus = launch.members().get("gpus");
        if (gpus != null) {
            String numbers = Arrays.stream(MemberSet.parse(gpus).toArray())
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(","));
            variables.put("CUDA_VISIBLE_DEVICES", numbers);
        }
    }

    /** The numbers of its ports, by name. */
    static Map<String, Long> ports(Launch launch) {
        String held = launch.members().get(PortNames.DIMENSION);
        return held == null
                ? Map.of()
                : PortNames.assign(launch.run().settings().ports(), MemberSet.parse(held));
    }
}
