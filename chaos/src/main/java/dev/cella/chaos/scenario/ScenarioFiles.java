package dev.cella.chaos.scenario;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.chaos.proto.FaultEntry;
import dev.cella.chaos.proto.LoadEntry;
import dev.cella.chaos.proto.ScenarioFile;
import dev.cella.chaos.proto.SchedulerEntry;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.NearestName;
import dev.cella.client.json.Source;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Labels;
import dev.cella.transactions.model.PoolPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Scenario files: those that come with Cella, and those that people write. All faults of a file are told at once. */
public final class ScenarioFiles {
    /** The names of those that come with Cella, in the order in which they are listed. */
    public static final List<String> SHIPPED = List.of(
            "leader-loss",
            "partition-ring",
            "paused-leader",
            "disk-full",
            "power-loss",
            "lost-replies",
            "flapping-network",
            "wiped-disk",
            "stale-view",
            "torn-feed",
            "scheduler-crash",
            "bad-planner",
            "bad-observations",
            "hoarder",
            "two-gangs",
            "eviction-storm",
            "lying-agent",
            "bad-credentials",
            "node-loss",
            "deaf-agents",
            "quota-change",
            "overload",
            "small-gaps",
            "late-room",
            "fair-pools",
            "rolling-restart",
            "swarm",
            "small-swarm",
            "everything",
            "farm");

    /** The catalogue numbers its checkers without a gap. */
    public static final List<String> CHECKERS =
            IntStream.rangeClosed(1, 24).mapToObj(number -> "C" + number).toList();

    private static final int REPLICAS = 3;
    private static final int MACHINES = 20;
    private static final int MACHINES_AN_AGENT = 10;
    private static final int MACHINES_MAX = 10_000;
    private static final int SWARM_MAX = 1_000;
    private static final int LANE_KIB = 256;
    private static final int LANE_KIB_MAX = 1_000_000;
    private static final int JOBS_MAX = 100_000;
    private static final int TASKS_MAX = 10_000;
    private static final long SAFETY_MILLIS = 20_000;
    private static final long LIVENESS_MILLIS = 25_000;
    private static final long DECISION_MILLIS = 20;
    private static final List<SchedulerSpec> SCHEDULERS = List.of(
            new SchedulerSpec("batch", "batch", Map.of(), DECISION_MILLIS),
            new SchedulerSpec("service", "service", Map.of(), 2 * DECISION_MILLIS),
            new SchedulerSpec("quick", "batch", Map.of(), 5),
            new SchedulerSpec("slow", "batch", Map.of(), 100));

    private ScenarioFiles() {}

    /** One that comes with Cella; nothing if none has that name. */
    public static Optional<Scenario> shipped(String name) {
        if (!SHIPPED.contains(name)) {
            return Optional.empty();
        }
        try (InputStream file = ScenarioFiles.class.getResourceAsStream(name + ".yaml")) {
            if (file == null) {
                return Optional.empty();
            }
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Optional.of(scenario(new JsonCodec()
                    .readLocated(ScenarioFile.getDefaultInstance(), Source.yaml(text))
                    .message()));
        } catch (IOException e) {
            throw new UncheckedIOException("reading the scenario " + name, e);
        }
    }

    /** The faults of a file that a person wrote: a fault of the cell that would never begin is one, too. */
    public static List<Fault> faultsWritten(ScenarioFile file) {
        List<Fault> wrong = faultsIn(file);
        long safety = file.hasSafety() ? millis(file.getSafety()) : SAFETY_MILLIS;
        for (int place = 0; place < file.getFaultsCount(); place++) {
            if (millis(file.getFaults(place).getAt()) >= safety) {
                wrong.add(Fault.of("faults[" + place + "].at", "must be before the end of safety, " + safety + " ms"));
            }
        }
        return wrong;
    }

    /** The faults of a scenario file, field by field. */
    public static List<Fault> faultsIn(ScenarioFile file) {
        List<Fault> wrong = new ArrayList<>();
        if (!file.getName().isEmpty()) {
            checkLabel("name", file.getName(), wrong);
        }
        for (int place = 0; place < file.getFaultsCount(); place++) {
            checkFault("faults[" + place + "].", file, file.getFaults(place), wrong);
        }
        checkSchedulers(file, wrong);
        for (int place = 0; place < file.getCheckersCount(); place++) {
            checkName("checkers[" + place + "]", "there is no checker ", file.getCheckers(place), CHECKERS, wrong);
        }
        if (file.hasReplicas() && file.getReplicas() != 1 && file.getReplicas() != 3 && file.getReplicas() != 5) {
            wrong.add(Fault.of("replicas", "must be 1, 3 or 5, is " + file.getReplicas()));
        }
        checkNumber("machines", file.hasMachines(), file.getMachines(), 1, MACHINES_MAX, wrong);
        checkNumber("agents", file.hasAgents(), file.getAgents(), 1, Math.max(1, machines(file)), wrong);
        checkNumber("swarm", file.hasSwarm(), file.getSwarm(), 0, SWARM_MAX, wrong);
        checkNumber("laneKib", file.hasLaneKib(), file.getLaneKib(), 1, LANE_KIB_MAX, wrong);
        checkNumber("level", file.hasLevel(), file.getLevel(), 1, EntryCodec.FEATURE_LEVEL_MAX, wrong);
        if (file.hasSafety() && millis(file.getSafety()) <= 0) {
            wrong.add(Fault.of("safety", "must be longer than 0: faults are injected meanwhile"));
        }
        if (file.hasLiveness() && millis(file.getLiveness()) <= 0) {
            wrong.add(Fault.of("liveness", "must be longer than 0: what can be placed is placed meanwhile"));
        }
        checkLoad(file.getLoad(), wrong);
        new TreeMap<>(file.getPoolsMap()).forEach((pool, weight) -> checkPool(pool, weight, wrong));
        if (file.getPoolsCount() > 0 && file.getLevel() < EntryCodec.POLICY_LEVEL) {
            wrong.add(Fault.of("pools", "need level: " + EntryCodec.POLICY_LEVEL));
        }
        return wrong;
    }

    private static void checkPool(String pool, int weight, List<Fault> wrong) {
        try {
            Labels.checkPool(pool);
        } catch (IllegalArgumentException misfit) {
            wrong.add(Fault.of("pools", String.valueOf(misfit.getMessage())));
        }
        checkNumber("pools." + pool, true, weight, 1, PoolPolicy.WEIGHT_MAX, wrong);
    }

    private static void checkFault(String path, ScenarioFile file, FaultEntry fault, List<Fault> wrong) {
        checkName(path + "fault", "there is no fault ", fault.getFault(), FaultKind.names(), wrong);
        if (!fault.getOn().isEmpty()) {
            checkName(path + "on", "nothing is called ", fault.getOn(), targets(file), wrong);
        }
        if (fault.hasFor() && millis(fault.getFor()) <= 0) {
            wrong.add(Fault.of(path + "for", "must be longer than 0"));
        }
    }

    private static void checkSchedulers(ScenarioFile file, List<Fault> wrong) {
        Set<String> names = new HashSet<>();
        for (int place = 0; place < file.getSchedulersCount(); place++) {
            String path = "schedulers[" + place + "]";
            SchedulerEntry entry = file.getSchedulers(place);
            String name = scheduler(entry).name();
            if (entry.getType().isEmpty()) {
                wrong.add(Fault.of(path, "must have a type, such as batch"));
            } else {
                checkLabel(path + (entry.getName().isEmpty() ? ".type" : ".name"), name, wrong);
            }
            if (!names.add(name)) {
                wrong.add(Fault.of(path, "another scheduler of this file is called " + name));
            }
        }
    }

    private static void checkLabel(String path, String written, List<Fault> wrong) {
        try {
            Labels.checkName("the name", written);
        } catch (IllegalArgumentException misfit) {
            wrong.add(Fault.of(path, String.valueOf(misfit.getMessage())));
        }
    }

    private static void checkLoad(LoadEntry load, List<Fault> wrong) {
        checkNumber("load.jobs", load.hasJobs(), load.getJobs(), 0, JOBS_MAX, wrong);
        checkNumber("load.tasksMax", load.hasTasksMax(), load.getTasksMax(), 1, TASKS_MAX, wrong);
        if (load.hasRunTime() && millis(load.getRunTime()) <= 0) {
            wrong.add(Fault.of("load.runTime", "must be longer than 0"));
        }
        checkInHundred("gangs", load.hasGangsInHundred(), load.getGangsInHundred(), wrong);
        checkInHundred("services", load.hasServicesInHundred(), load.getServicesInHundred(), wrong);
        checkInHundred("stops", load.hasStopsInHundred(), load.getStopsInHundred(), wrong);
        checkInHundred("failures", load.hasFailuresInHundred(), load.getFailuresInHundred(), wrong);
        checkInHundred("odd", load.hasOddInHundred(), load.getOddInHundred(), wrong);
    }

    private static void checkInHundred(String what, boolean isSaid, int said, List<Fault> wrong) {
        checkNumber("load." + what + "InHundred", isSaid, said, 0, 100, wrong);
    }

    private static void checkNumber(String path, boolean isSaid, int said, int least, int most, List<Fault> wrong) {
        if (isSaid && (said < least || said > most)) {
            wrong.add(Fault.of(path, "must be from " + least + " to " + most + ", is " + said));
        }
    }

    private static void checkName(String path, String message, String written, List<String> names, List<Fault> wrong) {
        if (!names.contains(written)) {
            String near = NearestName.to(written, names)
                    .map(name -> ", did you mean " + name + "?")
                    .orElse(", cella chaos list shows all");
            wrong.add(Fault.of(path, message + written + near));
        }
    }

    /** What faults can be on: groups of replicas, replicas, schedulers, agents and machines. */
    private static List<String> targets(ScenarioFile file) {
        List<String> targets = new ArrayList<>(List.of("any", "all", "leader", "follower", "majority", "users"));
        Scenario read = scenario(file.toBuilder().clearFaults().build());
        for (int place = 1; place <= read.replicas(); place++) {
            targets.add("r" + place);
        }
        read.schedulers().forEach(each -> targets.add(each.name()));
        for (int place = 0; place < read.machines(); place++) {
            targets.add("m" + place);
            targets.add("agent-" + place);
        }
        return targets;
    }

    /** A scenario from a message whose faults are known. */
    public static Scenario scenario(ScenarioFile file) {
        int machines = machines(file);
        return new Scenario(
                file.getName().isEmpty() ? "unnamed" : file.getName(),
                file.getAbout(),
                file.hasReplicas() ? file.getReplicas() : REPLICAS,
                machines,
                file.hasAgents() ? file.getAgents() : (machines + MACHINES_AN_AGENT - 1) / MACHINES_AN_AGENT,
                file.getSchedulersCount() == 0
                        ? SCHEDULERS
                        : file.getSchedulersList().stream()
                                .map(ScenarioFiles::scheduler)
                                .toList(),
                load(file.getLoad()),
                file.getPoolsMap(),
                file.hasSafety() ? millis(file.getSafety()) : SAFETY_MILLIS,
                file.hasLiveness() ? millis(file.getLiveness()) : LIVENESS_MILLIS,
                file.getFaultsList().stream().map(ScenarioFiles::fault).toList(),
                file.getSwarm(),
                file.hasLaneKib() ? file.getLaneKib() : LANE_KIB,
                file.hasLevel() ? file.getLevel() : 1,
                file.getCheckersList());
    }

    private static int machines(ScenarioFile file) {
        return file.hasMachines() ? file.getMachines() : MACHINES;
    }

    private static SchedulerSpec scheduler(SchedulerEntry entry) {
        return new SchedulerSpec(
                entry.getName().isEmpty() ? entry.getType() : entry.getName(),
                entry.getType(),
                entry.getOptionsMap(),
                entry.hasDecision() ? millis(entry.getDecision()) : DECISION_MILLIS);
    }

    private static Load load(LoadEntry entry) {
        Load usual = Load.USUAL;
        return new Load(
                entry.hasJobs() ? entry.getJobs() : usual.jobs(),
                entry.hasTasksMax() ? entry.getTasksMax() : usual.tasksMax(),
                entry.hasRunTime() ? millis(entry.getRunTime()) : usual.runMillis(),
                entry.hasGangsInHundred() ? entry.getGangsInHundred() : usual.gangsInHundred(),
                entry.hasServicesInHundred() ? entry.getServicesInHundred() : usual.servicesInHundred(),
                entry.hasStopsInHundred() ? entry.getStopsInHundred() : usual.stopsInHundred(),
                entry.hasFailuresInHundred() ? entry.getFailuresInHundred() : usual.failuresInHundred(),
                entry.hasOddInHundred() ? entry.getOddInHundred() : usual.oddInHundred());
    }

    private static PlannedFault fault(FaultEntry entry) {
        return new PlannedFault(
                FaultKind.find(entry.getFault()).orElseThrow(),
                entry.getOn().isEmpty() ? "any" : entry.getOn(),
                millis(entry.getAt()),
                entry.hasFor() ? millis(entry.getFor()) : 3_000);
    }

    private static long millis(Duration duration) {
        return Durations.toMillis(duration);
    }

    /** The scenario with exactly these faults as a message: read again, it gives the same run. */
    public static ScenarioFile file(Scenario scenario, List<PlannedFault> faults) {
        Load load = scenario.load();
        ScenarioFile.Builder file = ScenarioFile.newBuilder()
                .setName(scenario.name())
                .setAbout(scenario.about())
                .setReplicas(scenario.replicas())
                .setMachines(scenario.machines())
                .setAgents(scenario.agents())
                .setLaneKib(scenario.laneKib())
                .setLevel(scenario.level())
                .setLoad(LoadEntry.newBuilder()
                        .setJobs(load.jobs())
                        .setTasksMax(load.tasksMax())
                        .setRunTime(Durations.fromMillis(load.runMillis()))
                        .setGangsInHundred(load.gangsInHundred())
                        .setServicesInHundred(load.servicesInHundred())
                        .setStopsInHundred(load.stopsInHundred())
                        .setFailuresInHundred(load.failuresInHundred())
                        .setOddInHundred(load.oddInHundred()))
                .setSafety(Durations.fromMillis(scenario.safetyMillis()))
                .setLiveness(Durations.fromMillis(scenario.livenessMillis()))
                .putAllPools(scenario.pools())
                .addAllCheckers(scenario.checkers());
        scenario.schedulers()
                .forEach(each -> file.addSchedulers(SchedulerEntry.newBuilder()
                        .setName(each.name())
                        .setType(each.type())
                        .putAllOptions(each.options())
                        .setDecision(Durations.fromMillis(each.decisionMillis()))));
        faults.forEach(each -> file.addFaults(FaultEntry.newBuilder()
                .setFault(each.kind().words())
                .setOn(each.on())
                .setAt(Durations.fromMillis(each.fromMillis()))
                .setFor(Durations.fromMillis(each.forMillis()))));
        return file.build();
    }
}
