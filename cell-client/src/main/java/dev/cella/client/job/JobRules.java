package dev.cella.client.job;

import com.google.protobuf.Duration;
import dev.cella.client.json.Fault;
import dev.cella.client.json.NearestName;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.Check;
import dev.cella.client.proto.ConflictRule;
import dev.cella.client.proto.Constraint;
import dev.cella.client.proto.Gang;
import dev.cella.client.proto.GangRestart;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.GroupOrBuilder;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.OnLost;
import dev.cella.client.proto.Restart;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.Update;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rules and defaults of a job: SURFACE section 8.1, in one place. The server applies them at the submission and the
 * command at {@code cella job validate}, so that both give the same answer.
 *
 * <p>The codec checks the form of a job (fields, types, required fields); this class checks the rest.
 */
public final class JobRules {
    private static final int GROUPS_MAX = 100;
    private static final int TASKS_MAX = 100_000;

    /** One transaction places a gang, and a transaction has at most this many claims. */
    private static final int CLAIMS_MAX = 10_000;

    private static final int PRIORITY_MAX = 100;
    private static final int BYTES_MAX = 1 << 20;

    /** No machine has more, and the sum over all tasks of a cell still fits a number. */
    private static final long AMOUNT_MAX = 1_000_000_000_000L;

    private static final List<String> RESOURCES = List.of("cpuMilli", "memoryMib");
    private static final List<String> STOP_SIGNALS = List.of("TERM", "INT", "HUP", "QUIT", "USR1", "USR2");

    /** The weakest first. */
    private static final List<String> ISOLATIONS = List.of("none", "limits", "full");

    private static final String NO_NETWORK = "none";
    private static final List<String> NETWORKS = List.of("host", NO_NETWORK);
    private static final String ISOLATION_ATTRIBUTE = "isolation";
    private static final String IMAGES_ATTRIBUTE = "images";
    private static final Constraint ON_IMAGES = Constraint.newBuilder()
            .setAttribute(IMAGES_ATTRIBUTE)
            .setOperator("exists")
            .build();
    private static final String IMAGE = "[A-Za-z0-9/][A-Za-z0-9._:/@+-]*";
    private static final int PORT_MAX = 65_535;
    private static final int PORTS_MAX = 64;
    private static final int CHECK_FAILURES_DEFAULT = 3;
    private static final Duration CHECK_EVERY_MIN =
            Duration.newBuilder().setNanos(100_000_000).build();
    private static final Duration CHECK_TIMEOUT_MAX =
            Duration.newBuilder().setSeconds(60).build();
    private static final String PORT_PLACEHOLDER = "port.";

    /** The user sets these: how long a task runs on a hollow machine, and how it ends there. */
    private static final String HOLLOW_VARIABLES = "CELLA_HOLLOW_";

    private static final String POOL_DEFAULT = "default";
    private static final int PRIORITY_DEFAULT = 50;
    static final String GROUP_NAME_DEFAULT = "main";
    private static final Duration STOP_GRACE_DEFAULT = seconds(10);
    private static final Duration HOLD_AFTER_DEFAULT = seconds(30);
    private static final Duration UPDATE_DEADLINE_MIN =
            Duration.newBuilder().setNanos(1_000_000).build();
    private static final int RESTART_ATTEMPTS_DEFAULT = 2;
    private static final Duration RESTART_DELAY_DEFAULT = seconds(1);
    private static final Duration RESTART_DELAY_MAX_DEFAULT = seconds(60);

    private static final Comparator<Duration> BY_LENGTH =
            Comparator.comparingLong(Duration::getSeconds).thenComparingInt(Duration::getNanos);

    private final List<Fault> faults = new ArrayList<>();

    private JobRules() {}

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    /** The job with its defaults filled in. */
    public static Job complete(Job job) {
        Job.Builder complete = job.toBuilder();
        if (!job.hasScheduler()) {
            complete.setScheduler(word(job.getType()));
        }
        if (!job.hasPool()) {
            complete.setPool(POOL_DEFAULT);
        }
        if (!job.hasPriority()) {
            complete.setPriority(PRIORITY_DEFAULT);
        }
        if (job.getAtomicity() == Atomicity.ATOMICITY_UNSPECIFIED) {
            complete.setAtomicity(Atomicity.ATOMICITY_INCREMENTAL);
        }
        if (job.getConflictRule() == ConflictRule.CONFLICT_RULE_UNSPECIFIED) {
            complete.setConflictRule(ConflictRule.CONFLICT_RULE_RESOURCE);
        }
        complete.getGroupsBuilderList().forEach(group -> completeGroup(group, job.getType()));
        return complete.build();
    }

    /**
     * The same for a job that takes the place of another one. The sender may have read it from that one: the constraints that were
     * made for what its tasks needed then stay only if they still need it.
     */
    public static Job complete(Job job, Job before) {
        Map<String, Group> earlier =
                before.getGroupsList().stream().collect(Collectors.toMap(JobRules::name, Function.identity()));
        Job.Builder update = job.toBuilder();
        for (Group.Builder group : update.getGroupsBuilderList()) {
            Optional.ofNullable(earlier.get(name(group))).ifPresent(then -> dropMade(group, then));
        }
        return complete(update.build());
    }

    private static String name(GroupOrBuilder group) {
        return group.hasName() ? group.getName() : GROUP_NAME_DEFAULT;
    }

    private static void dropMade(Group.Builder group, Group before) {
        List<Constraint> needed = made(group.getRun());
        List<Constraint> old = made(before.getRun()).stream()
                .filter(constraint -> !needed.contains(constraint))
                .toList();
        List<Constraint> kept = group.getConstraintsList().stream()
                .filter(constraint -> !old.contains(constraint))
                .toList();
        group.clearConstraints().addAllConstraints(kept);
    }

    /** The constraints that are made of what the tasks need. */
    private static List<Constraint> made(Run run) {
        List<Constraint> made = new ArrayList<>();
        int level = ISOLATIONS.indexOf(isolation(run));
        if (level > 0) {
            made.add(onIsolation(level));
        }
        if (run.hasImage()) {
            made.add(ON_IMAGES);
        }
        return made;
    }

    /** The default scheduler of a job has the name of the job's type. */
    private static String word(JobType type) {
        return type == JobType.JOB_TYPE_SERVICE ? "service" : "batch";
    }

    private static void completeGroup(Group.Builder group, JobType type) {
        if (!group.hasName()) {
            group.setName(GROUP_NAME_DEFAULT);
        }
        if (!group.hasCount()) {
            group.setCount(1);
        }
        if (!group.getRun().hasStopGrace()) {
            group.getRunBuilder().setStopGrace(STOP_GRACE_DEFAULT);
        }
        if (group.hasDistinct() && !group.getDistinct().hasMax()) {
            group.getDistinctBuilder().setMax(1);
        }
        if (group.getOnLost() == OnLost.ON_LOST_UNSPECIFIED) {
            group.setOnLost(OnLost.ON_LOST_REPLACE);
        }
        if (group.hasGang()) {
            completeGang(group.getGangBuilder());
        }
        completeRestart(group.getRestartBuilder(), type);
        completeIsolation(group);
        completeImage(group);
        if (group.hasCheck()) {
            completeCheck(group);
        }
    }

    private static void completeCheck(Group.Builder group) {
        Check.Builder check = group.getCheckBuilder();
        if (!check.hasPort() && group.getPortsCount() == 1) {
            check.setPort(group.getPortsMap().keySet().iterator().next());
        }
        if (!check.hasEvery()) {
            check.setEvery(seconds(10));
        }
        if (!check.hasTimeout()) {
            check.setTimeout(seconds(2));
        }
        if (!check.hasFailuresMax()) {
            check.setFailuresMax(CHECK_FAILURES_DEFAULT);
        }
    }

    /** The least isolation that a task needs: what it says, and what its quota and its network need. */
    public static String isolation(Run run) {
        int level = Math.max(0, ISOLATIONS.indexOf(run.getIsolation()));
        if (run.getCpuQuota()) {
            level = Math.max(level, ISOLATIONS.indexOf("limits"));
        }
        return run.getNetwork().equals(NO_NETWORK) ? "full" : ISOLATIONS.get(level);
    }

    /**
     * A level that some machines lack becomes a constraint on machines, once. It takes the place of the one that was made when
     * the tasks needed less.
     */
    private static void completeIsolation(Group.Builder group) {
        int level = ISOLATIONS.indexOf(isolation(group.getRun()));
        List<Constraint> kept = group.getConstraintsList().stream()
                .filter(constraint -> !isMadeForLess(constraint, level))
                .toList();
        boolean isSaid =
                kept.stream().anyMatch(constraint -> constraint.getAttribute().equals(ISOLATION_ATTRIBUTE));
        if (level > 0 && !isSaid) {
            group.clearConstraints().addAllConstraints(kept).addConstraints(onIsolation(level));
        }
    }

    private static boolean isMadeForLess(Constraint constraint, int level) {
        return IntStream.range(1, level).anyMatch(less -> onIsolation(less).equals(constraint));
    }

    private static Constraint onIsolation(int level) {
        return Constraint.newBuilder()
                .setAttribute(ISOLATION_ATTRIBUTE)
                .setOperator("in")
                .addAllValues(ISOLATIONS.subList(level, ISOLATIONS.size()))
                .build();
    }

    /** Not every machine runs images. */
    private static void completeImage(Group.Builder group) {
        boolean isSaid = group.getConstraintsList().stream()
                .anyMatch(constraint -> constraint.getAttribute().equals(IMAGES_ATTRIBUTE));
        if (group.getRun().hasImage() && !isSaid) {
            group.addConstraints(ON_IMAGES);
        }
    }

    /** Tasks that start together are retried together, unless the job says otherwise. */
    private static void completeGang(Gang.Builder gang) {
        if (!gang.hasHoldAfter()) {
            gang.setHoldAfter(HOLD_AFTER_DEFAULT);
        }
        if (gang.getRestart() == GangRestart.GANG_RESTART_UNSPECIFIED) {
            gang.setRestart(GangRestart.GANG_RESTART_ALL);
        }
    }

    /**
     * If the first delay is above the default of the longest one, that delay applies each time. A service without a number of
     * attempts is retried forever.
     */
    private static void completeRestart(Restart.Builder restart, JobType type) {
        if (!restart.hasAttempts() && type != JobType.JOB_TYPE_SERVICE) {
            restart.setAttempts(RESTART_ATTEMPTS_DEFAULT);
        }
        if (!restart.hasDelay()) {
            restart.setDelay(
                    restart.hasDelayMax()
                            ? shorter(RESTART_DELAY_DEFAULT, restart.getDelayMax())
                            : RESTART_DELAY_DEFAULT);
        }
        if (!restart.hasDelayMax()) {
            restart.setDelayMax(longer(RESTART_DELAY_MAX_DEFAULT, restart.getDelay()));
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return BY_LENGTH.compare(one, other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return BY_LENGTH.compare(one, other) > 0 ? one : other;
    }

    /** All faults of a job, with or without its defaults filled in; empty if there are none. */
    public static List<Fault> check(Job job) {
        JobRules rules = new JobRules();
        rules.checkJob(job);
        return List.copyOf(rules.faults);
    }

    private void fault(String path, String message) {
        faults.add(Fault.of(path, message));
    }

    private void checkJob(Job job) {
        checkName("name", job.getName());
        if (job.hasScheduler()) {
            checkName("scheduler", job.getScheduler());
        }
        if (job.hasPool()) {
            Names.refusePool(job.getPool()).ifPresent(why -> fault("pool", why));
        }
        job.getLabelsMap().keySet().forEach(name -> Names.refuseLabel(name).ifPresent(why -> fault("labels", why)));
        if (job.getPriority() < 0 || job.getPriority() > PRIORITY_MAX) {
            fault("priority", "must be from 0 to " + PRIORITY_MAX + ", is " + job.getPriority());
        }
        if (job.getGroupsCount() > GROUPS_MAX) {
            fault("groups", "are too many: " + job.getGroupsCount() + ", at most " + GROUPS_MAX);
        }
        checkGroups(job.getGroupsList(), job.getAtomicity());
        checkUpdates(job);
        faults.addAll(OrderRules.check(job));
        if (job.getSerializedSize() > BYTES_MAX) {
            fault("", "is too large: a job has at most 1 MiB");
        }
    }

    private void checkUpdates(Job job) {
        for (int index = 0; index < job.getGroupsCount(); index++) {
            Group group = job.getGroups(index);
            if (group.hasUpdate()) {
                String path = "groups[" + index + "].update";
                if (job.getType() == JobType.JOB_TYPE_BATCH) {
                    fault(path, "is of a service: a batch job's running tasks are not updated");
                }
                checkUpdate(path, group.getUpdate());
            }
        }
    }

    private void checkUpdate(String path, Update update) {
        if (update.hasMaxParallel() && (update.getMaxParallel() < 1 || update.getMaxParallel() > TASKS_MAX)) {
            fault(path + ".maxParallel", "must be from 1 to " + TASKS_MAX + ", is " + update.getMaxParallel());
        }
        if (update.getMinHealthy() < 0) {
            fault(path + ".minHealthy", "must not be negative, is " + update.getMinHealthy());
        }
        if (update.getCanary() < 0) {
            fault(path + ".canary", "must not be negative, is " + update.getCanary());
        }
        checkTimes(path, update);
    }

    private void checkTimes(String path, Update update) {
        Duration deadline = update.hasDeadline() ? update.getDeadline() : HealthyTime.DEADLINE_DEFAULT;
        Duration healthyAfter = update.hasHealthyAfter() ? update.getHealthyAfter() : HealthyTime.DEFAULT;
        if (BY_LENGTH.compare(deadline, UPDATE_DEADLINE_MIN) < 0) {
            fault(path + ".deadline", "must be at least 1ms");
        } else if (BY_LENGTH.compare(healthyAfter, deadline) >= 0) {
            fault(
                    path + (update.hasHealthyAfter() ? ".healthyAfter" : ".deadline"),
                    update.hasHealthyAfter()
                            ? "must be shorter than the deadline" + (update.hasDeadline() ? "" : " of 10m")
                                    + ", or no update ever succeeds"
                            : "must be longer than healthyAfter, which is 10s by itself, or no update ever succeeds");
        }
    }

    private void checkName(String path, String name) {
        Names.refuse(name).ifPresent(why -> fault(path, why));
    }

    private void checkGroups(List<Group> groups, Atomicity atomicity) {
        Set<String> names = new HashSet<>();
        long tasks = 0;
        for (int index = 0; index < groups.size(); index++) {
            Group group = groups.get(index);
            String path = "groups[" + index + "]";
            String name = group.hasName() ? group.getName() : GROUP_NAME_DEFAULT;
            if (!names.add(name)) {
                fault(path + ".name", "another group is called \"" + name + "\" too");
            }
            checkGroup(path, group);
            if (atomicity == Atomicity.ATOMICITY_ALL_OR_NOTHING) {
                checkKeepsNoneBack(path, group);
            }
            tasks += group.hasCount() ? group.getCount() : 1;
        }
        if (tasks > TASKS_MAX && groups.size() > 1) {
            fault("groups", "have too many tasks: " + tasks + ", at most " + TASKS_MAX + " in a job");
        } else if (tasks > CLAIMS_MAX && atomicity == Atomicity.ATOMICITY_ALL_OR_NOTHING) {
            fault("groups", "have too many tasks for ALL_OR_NOTHING: " + tasks + ", at most " + CLAIMS_MAX);
        }
    }

    private void checkKeepsNoneBack(String path, Group group) {
        String why = "a job that is placed ALL_OR_NOTHING cannot keep tasks back";
        if (group.getRunningMax() > 0) {
            fault(path + ".runningMax", why);
        }
        if (group.getAfterCount() > 0) {
            fault(path + ".after", why);
        }
    }

    private void checkGroup(String path, Group group) {
        if (group.hasName()) {
            checkName(path + ".name", group.getName());
        }
        if (group.hasCount() && (group.getCount() < 1 || group.getCount() > TASKS_MAX)) {
            fault(path + ".count", "must be from 1 to " + TASKS_MAX + ", is " + group.getCount());
        }
        checkResources(path + ".resources", group.getResourcesMap());
        checkRun(path + ".run", group.getRun(), group.getPortsMap().keySet());
        checkPorts(path + ".ports", group.getPortsMap());
        if (group.hasCheck()) {
            checkCheck(path + ".check", group);
        }
        checkRestart(path + ".restart", group.getRestart());
        if (group.hasGang()) {
            checkGang(path + ".gang", group);
        }
        faults.addAll(PlacementRules.check(path, group));
    }

    private void checkGang(String path, Group group) {
        Gang gang = group.getGang();
        int count = group.hasCount() ? group.getCount() : 1;
        int most = Math.min(CLAIMS_MAX, group.getRunningMax() > 0 ? Math.min(count, group.getRunningMax()) : count);
        if (gang.getMin() < 1 || gang.getMin() > most) {
            fault(
                    path + ".min",
                    "must be from 1 to " + most + ", as many tasks as can be placed at once, is " + gang.getMin());
        }
    }

    private void checkResources(String path, Map<String, Long> resources) {
        for (String name : RESOURCES) {
            if (!resources.containsKey(name)) {
                fault(path + "." + name, "is required");
            }
        }
        resources.forEach((name, amount) -> {
            if (amount < 1 || amount > AMOUNT_MAX) {
                fault(path + "." + name, "must be from 1 to " + AMOUNT_MAX + ", is " + amount);
            }
        });
    }

    private void checkPorts(String path, Map<String, Long> ports) {
        Set<Long> numbers = new HashSet<>();
        ports.forEach((name, number) -> {
            if (!name.matches("[a-z]([a-z0-9-]{0,30}[a-z0-9])?")) {
                fault(path + "." + name, "is no name of a port: lower-case letters, digits and - make one");
            }
            if (number < 0 || number > PORT_MAX) {
                fault(path + "." + name, "must be from 1 to " + PORT_MAX + ", or 0 for any, is " + number);
            } else if (number > 0 && !numbers.add(number)) {
                fault(path + "." + name, "another port of the group is " + number + " too");
            }
        });
        if (ports.size() > PORTS_MAX) {
            fault(path, "are too many: " + ports.size() + ", at most " + PORTS_MAX);
        }
    }

    private void checkCheck(String path, Group group) {
        Check check = group.getCheck();
        int kinds = (check.hasHttp() ? 1 : 0) + (check.getTcp() ? 1 : 0) + (check.getCommandCount() > 0 ? 1 : 0);
        if (kinds != 1) {
            fault(path, "must say one of http, tcp and command");
        }
        if (check.hasHttp() && !check.getHttp().startsWith("/")) {
            fault(path + ".http", "must be a path, which begins with /, is \"" + check.getHttp() + "\"");
        }
        for (int index = 0; index < check.getCommandCount(); index++) {
            checkArgument(
                    path + ".command[" + index + "]",
                    check.getCommand(index),
                    group.getPortsMap().keySet());
        }
        if (check.getCommandCount() > 0 && check.getCommand(0).isEmpty()) {
            fault(path + ".command[0]", "must name a program");
        }
        if (check.getCommandCount() > 0 && group.getRun().hasImage()) {
            fault(path, "must be http or tcp, for no command runs beside a task in an image");
        }
        boolean asksAPort = check.hasHttp() || check.getTcp();
        if (asksAPort && group.getRun().getNetwork().equals(NO_NETWORK)) {
            fault(path, "must be a command, for the tasks have no network: run.network is none");
        }
        if (asksAPort && (check.hasPort() ? !group.containsPorts(check.getPort()) : group.getPortsCount() != 1)) {
            fault(
                    path + ".port",
                    "must be the name of one of the group's ports: "
                            + group.getPortsMap().keySet());
        }
        if (check.hasEvery() && BY_LENGTH.compare(check.getEvery(), CHECK_EVERY_MIN) < 0) {
            fault(path + ".every", "must be at least 100ms");
        }
        if (check.hasTimeout() && BY_LENGTH.compare(check.getTimeout(), seconds(0)) <= 0) {
            fault(path + ".timeout", "must be longer than nothing");
        }
        if (check.hasTimeout() && BY_LENGTH.compare(check.getTimeout(), CHECK_TIMEOUT_MAX) > 0) {
            fault(path + ".timeout", "must be at most 1m");
        }
        if (check.hasFailuresMax() && check.getFailuresMax() < 1) {
            fault(path + ".failuresMax", "must be at least 1, is " + check.getFailuresMax());
        }
    }

    private void checkRun(String path, Run run, Set<String> ports) {
        for (int index = 0; index < run.getCommandCount(); index++) {
            checkArgument(path + ".command[" + index + "]", run.getCommand(index), ports);
        }
        if (run.getCommandCount() > 0 && run.getCommand(0).isEmpty()) {
            fault(path + ".command[0]", "must name a program");
        }
        run.getEnvMap().forEach((name, value) -> checkVariable(path + ".env." + name, name, value));
        if (run.hasDirectory()) {
            checkDirectory(path + ".directory", run.getDirectory());
        }
        if (run.hasUser() && !run.getUser().matches("[A-Za-z_][A-Za-z0-9_.-]{0,31}")) {
            fault(path + ".user", "is no name of a user: \"" + run.getUser() + "\"");
        }
        if (run.hasStopSignal()) {
            checkWord(path + ".stopSignal", run.getStopSignal(), STOP_SIGNALS);
        }
        if (run.hasTimeout() && BY_LENGTH.compare(run.getTimeout(), seconds(0)) <= 0) {
            fault(path + ".timeout", "must be longer than nothing");
        }
        if (run.hasImage() && !run.getImage().matches(IMAGE)) {
            fault(path + ".image", "is no reference of an image: \"" + run.getImage() + "\"; debian:12 is one");
        }
        if (run.hasIsolation()) {
            checkWord(path + ".isolation", run.getIsolation(), ISOLATIONS);
        }
        if (run.hasNetwork()) {
            checkWord(path + ".network", run.getNetwork(), NETWORKS);
        }
    }

    private void checkWord(String path, String word, List<String> known) {
        if (!known.contains(word)) {
            fault(
                    path,
                    NearestName.to(word, known)
                            .map(near -> "no such value: " + word + ", did you mean " + near + "?")
                            .orElse("no such value: " + word + ", there are " + String.join(", ", known)));
        }
    }

    private void checkArgument(String path, String argument, Set<String> ports) {
        checkNoZero(path, argument);
        ArgumentTemplate template = ArgumentTemplate.parse(argument);
        template.placeholders().forEach(name -> checkPlaceholder(path, name, ports));
        template.unclosed()
                .ifPresent(rest -> fault(path, "has no } after " + rest + "; for the characters themselves write $${"));
    }

    private void checkPlaceholder(String path, String name, Set<String> ports) {
        if (ArgumentTemplate.KNOWN.contains(name)) {
            return;
        }
        if (name.startsWith(PORT_PLACEHOLDER)) {
            checkPortPlaceholder(path, name, ports);
            return;
        }
        Optional<String> near = NearestName.to(name, ArgumentTemplate.KNOWN);
        fault(
                path,
                "no such placeholder: ${" + name + "}, "
                        + near.map(nearest -> "did you mean ${" + nearest + "}?")
                                .orElse("there are " + String.join(", ", ArgumentTemplate.KNOWN)
                                        + "; for the characters themselves write $${"));
    }

    private void checkPortPlaceholder(String path, String name, Set<String> ports) {
        if (!ports.contains(name.substring(PORT_PLACEHOLDER.length()))) {
            fault(
                    path,
                    "${" + name + "} names no port of the group: "
                            + (ports.isEmpty()
                                    ? "it has none, ports: {http: 0} makes one"
                                    : "there are " + String.join(", ", ports)));
        }
    }

    /** For programs, a zero character ends an argument or a variable. */
    private void checkNoZero(String path, String text) {
        if (text.indexOf('\0') >= 0) {
            fault(path, "must not have a zero character");
        }
    }

    private void checkVariable(String path, String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            fault(path, "is no name of a variable: \"" + name + "\"");
        }
        if (name.toUpperCase(Locale.ROOT).startsWith("CELLA_") && !name.startsWith(HOLLOW_VARIABLES)) {
            fault(path, "names that begin with CELLA_ are set by the cell");
        }
        checkNoZero(path, name);
        checkNoZero(path, value);
    }

    private void checkDirectory(String path, String directory) {
        if (!directory.startsWith("/")) {
            fault(path, "must begin with /, is \"" + directory + "\"");
        }
        checkNoZero(path, directory);
    }

    private void checkRestart(String path, Restart restart) {
        if (restart.getAttempts() < 0) {
            fault(path + ".attempts", "must not be negative, is " + restart.getAttempts());
        }
        if (restart.hasDelay()
                && restart.hasDelayMax()
                && BY_LENGTH.compare(restart.getDelay(), restart.getDelayMax()) > 0) {
            fault(path + ".delayMax", "must not be shorter than delay");
        }
    }
}
