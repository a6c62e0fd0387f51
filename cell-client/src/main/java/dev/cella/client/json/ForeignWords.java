package dev.cella.client.json;

import com.google.protobuf.Descriptors.Descriptor;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Run;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The words that other systems (Kubernetes, Nomad, Compose) use in their job files, and what to write here. The nearest
 * spelling would often mislead: {@code schedule} is no misspelt {@code scheduler}.
 */
final class ForeignWords {
    private static final Set<Descriptor> PARTS_OF_A_JOB =
            Set.of(Job.getDescriptor(), Group.getDescriptor(), Run.getDescriptor());

    private static final String GROUP_RESOURCES = "write groups[].resources: {cpuMilli: 1000, memoryMib: 1024}";
    private static final String COMMAND = "write groups[].run.command, a list: [program, argument, ...]";
    private static final String LEFT_OUT = "Cella leaves that to other programs: ";

    private static final Map<String, String> HINTS = hints();

    private ForeignWords() {}

    private static Map<String, String> hints() {
        Map<String, String> hints = new HashMap<>();
        put(
                hints,
                "a job file here begins with name and type",
                "apiVersion",
                "kind",
                "metadata",
                "spec",
                "job",
                "version");
        put(hints, "groups stand directly in the job: name, type, groups", "template", "selector", "task", "tasks");
        put(hints, "write groups[].count", "replicas", "parallelism", "completions", "instances", "scale");
        put(hints, "write groups, a list", "group", "services", "containers", "initContainers");
        put(hints, COMMAND, "args", "cmd", "entrypoint", "exec", "driver");
        put(hints, GROUP_RESOURCES, "requests", "limits", "cpus", "cpu", "memory", "mem", "resource");
        put(hints, "write groups[].run.env, a map of text", "environment", "envFrom");
        put(hints, "write groups[].run.directory", "workingDir", "workDir", "cwd");
        put(
                hints,
                "write groups[].restart: {attempts, delay, delayMax}",
                "restartPolicy",
                "backoffLimit",
                "reschedule",
                "retries");
        put(
                hints,
                "write groups[].constraints: [{attribute: rack, operator: eq, value: r1}]",
                "nodeSelector",
                "tolerations",
                "constraint",
                "datacenters",
                "nodeName");
        put(hints, "write groups[].affinities: [{attribute, operator, value, weight}]", "affinity", "nodeAffinity");
        put(hints, "write groups[].spread: [{attribute: rack}]", "topologySpreadConstraints");
        put(hints, "write pool", "namespace", "queue", "project");
        put(hints, "write priority, from 0 to 100", "priorityClassName", "priorityClass");
        put(hints, "write labels, a map of text", "annotations", "meta", "tags");
        put(hints, "write scheduler, the name of the one that plans the job", "schedulerName");
        put(hints, LEFT_OUT + "submit the job from cron or another timer", "schedule", "cron", "periodic", "cronJob");
        put(
                hints,
                LEFT_OUT + "mount or fetch files in the task's own command",
                "volumes",
                "volumeMounts",
                "volume",
                "artifact",
                "mounts");
        put(hints, LEFT_OUT + "pass secrets to the task in files that the machine has", "secrets", "secret", "vault");
        put(
                hints,
                LEFT_OUT + "ports are claimed and shown with the task, and another program announces them",
                "service",
                "networks",
                "network",
                "ingress",
                "depends_on");
        return hints;
    }

    private static void put(Map<String, String> hints, String hint, String... words) {
        for (String word : words) {
            hints.put(word, hint);
        }
    }

    /** Refuses a word of another system, and says what to write instead. */
    static Optional<KeyRule.Refusal> refuse(Descriptor type, String word) {
        return PARTS_OF_A_JOB.contains(type)
                ? Optional.ofNullable(HINTS.get(word))
                        .map(hint -> new KeyRule.Refusal("no such field: " + hint, Optional.empty()))
                : Optional.empty();
    }
}
