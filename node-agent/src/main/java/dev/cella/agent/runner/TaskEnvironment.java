package dev.cella.agent.runner;

import dev.cella.agent.guard.TaskProcesses;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.Launch;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an attempt is told about itself: the values that its command may leave open, and its environment. */
record TaskEnvironment(Map<String, String> values, Map<String, String> variables) {
    /** The only variables that a task inherits, and what they are where the agent has none. */
    private static final Map<String, String> INHERITED =
            Map.of("PATH", Programs.PATH_DEFAULT, "HOME", "/", "LANG", "C.UTF-8");

    static TaskEnvironment of(String machine, Launch launch, String mark, Map<String, String> agentVariables) {
        Assignment assignment = launch.assignment();
        GroupRun run = launch.run();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("index", Integer.toString(assignment.task().index()));
        values.put("job", run.job());
        values.put("group", run.group());
        values.put("machine", machine);
        values.put("attempt", Integer.toString(assignment.attempt()));

        Map<String, String> variables = new LinkedHashMap<>();
        INHERITED.forEach((name, ordinary) -> variables.put(name, agentVariables.getOrDefault(name, ordinary)));
        variables.putAll(run.environment());
        variables.put("CELLA_TASK_INDEX", values.get("index"));
        variables.put("CELLA_JOB", run.job());
        variables.put("CELLA_GROUP", run.group());
        variables.put("CELLA_MACHINE", machine);
        variables.put("CELLA_ATTEMPT", values.get("attempt"));
        variables.put(TaskProcesses.MARK_VARIABLE, mark);
        return new TaskEnvironment(values, variables);
    }
}
