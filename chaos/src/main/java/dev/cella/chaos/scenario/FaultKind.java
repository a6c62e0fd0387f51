package dev.cella.chaos.scenario;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every kind of fault: its number in the catalogue, its effect, how it heals, what must hold, and where it is possible.
 */
public enum FaultKind {
    REPLICA_KILL("F1", "replica-kill", Part.CORE, "kill -9 of a replica", "it starts again on its disk"),
    REPLICA_PAUSE("F2", "replica-pause", Part.CORE, "a replica is stopped and continued", "it continues"),
    CUT("F3", "cut", Part.CORE, "a process is cut off from all replicas", "the connections come back"),
    ONE_WAY_CUT("F4", "one-way-cut", Part.CORE, "a process can send and not receive", "the connections come back"),
    RING_CUT("F4", "ring-cut", Part.CORE, "each replica reaches only its neighbours", "the connections come back"),
    FLAPPING_CUT("F4", "flapping-cut", Part.CORE, "a replica is cut off every second second", "it stops flapping"),
    LOSSY_NETWORK("F5", "lossy-network", Part.CORE, "messages are lost, late and repeated", "the network is as before"),
    LOST_REPLIES(
            "F6", "lost-replies", Part.CORE, "answers are lost after the commit; clients repeat", "answers arrive"),
    CLOCK_JUMP("F7", "clock-jump", Part.CORE, "a replica's wall clock jumps an hour", "it jumps back"),
    POWER_LOSS("F8", "power-loss", Part.CORE, "a replica loses what it has not synced", "it starts again on its disk"),
    DISK_ERROR(
            "F9", "disk-error", Part.CORE, "writes and syncs of a replica fail", "the disk works, the replica starts"),
    SLOW_DISK("F9", "slow-disk", Part.CORE, "each sync of a replica takes 300 ms longer", "the disk is as before"),
    DISK_FULL("F10", "disk-full", Part.CORE, "a replica's disk is full", "space is freed, the replica starts"),
    BIT_FLIP(
            "F11",
            "bit-flip",
            Part.CORE,
            "a bit of a stopped replica's newest checkpoint flips",
            "it is refused; the log or a peer helps"),
    DISK_WIPE(
            "F12",
            "disk-wipe",
            Part.CORE,
            "a replica's disk is empty when it starts",
            "it gets everything from the others"),
    LAGGING_REPLICA(
            "F13", "lagging-replica", Part.CORE, "a replica is down until its log is purged", "it gets a checkpoint"),
    MEMBER_CHANGE(
            "F14", "member-change", Part.CORE, "a member is removed and added under load", "it is a member again"),
    SQUEEZE("F16", "squeeze", Part.CORE, "a replica stands still most of the time", "it is as fast as before"),
    SCHEDULER_KILL("F17", "scheduler-kill", Part.SCHEDULER, "a scheduler is killed", "its supervisor starts it"),
    ZOMBIE_SESSION(
            "F17", "zombie-session", Part.SCHEDULER, "a scheduler does not renew its session", "it renews again"),
    AGENT_KILL(
            "F18", "agent-kill", Part.AGENT, "an agent is killed with its tasks running", "its supervisor starts it"),
    NODE_LOSS("F19", "node-loss", Part.AGENT, "a machine loses its power", "it comes back, empty"),
    STUBBORN_TASKS(
            "F20", "stubborn-tasks", Part.LOAD, "tasks ignore TERM and fail", "no more such tasks are submitted"),
    SURGE("F21", "surge", Part.LOAD, "many times the usual load", "the load is as before"),
    BAD_CREDENTIALS("F22", "bad-credentials", Part.LOAD, "clients with wrong or expired tokens", "none are left"),
    ROLLING_RESTART("F23", "rolling-restart", Part.CORE, "replicas restart one after another", "all run"),
    STALE_VIEW("F25", "stale-view", Part.SCHEDULER, "a scheduler's private replica freezes", "it catches up"),
    TORN_FEED(
            "F26",
            "torn-feed",
            Part.SCHEDULER,
            "frames of a scheduler's feed are skipped and repeated",
            "the feed is whole"),
    PLANNER_DEATH(
            "F27",
            "planner-death",
            Part.SCHEDULER,
            "a scheduler dies between plan, submit and answer",
            "its supervisor starts it"),
    BAD_PLANNER(
            "F28", "bad-planner", Part.SCHEDULER, "a planner puts every claim on one machine", "it plans as before"),
    HOARDER("F29", "hoarder", Part.SCHEDULER, "somebody holds what it does not need", "its holds expire"),
    LYING_AGENT("F30", "lying-agent", Part.AGENT, "an agent reports ends that did not happen", "it tells the truth"),
    SLOW_AGENT("F31", "slow-agent", Part.AGENT, "an agent renews later than its lease", "it renews in time"),
    BAD_OBSERVATIONS(
            "F32", "bad-observations", Part.SCHEDULER, "observations are old, poisoned or missing", "they are right"),
    TWO_GANGS("F33", "two-gangs", Part.LOAD, "two gangs of which only one fits at a time", "they have run"),
    EVICTION_STORM("F34", "eviction-storm", Part.LOAD, "running tasks are evicted again and again", "nobody evicts"),
    HOT_MACHINE(
            "F35",
            "hot-machine",
            Part.LOAD,
            "the cell is full and one machine is freed at once",
            "the load is as before"),
    QUOTA_CHANGE("F36", "quota-change", Part.LOAD, "a pool's quota falls under its use", "the quota is as before"),
    PLUGIN_EXCHANGE(
            "F37",
            "plugin-exchange",
            Part.SCHEDULER,
            "a scheduler's jar is exchanged under load",
            "it runs the other jar"),
    FULL_CELL("F38", "full-cell", Part.LOAD, "ten times the load at 99 % full", "the load is as before");

    /** The broken part. In the liveness phase the core is healed and everything else stays as it is. */
    public enum Part {
        CORE,
        SCHEDULER,
        AGENT,
        LOAD
    }

    /** Kinds that the simulated world cannot do. */
    private static final Set<FaultKind> NOT_SIMULATED = EnumSet.of(MEMBER_CHANGE, BAD_CREDENTIALS, PLUGIN_EXCHANGE);

    /** Kinds that a swarm does not draw: no scheduler of the usual ones reads observations. */
    private static final Set<FaultKind> NOT_DRAWN = EnumSet.of(BAD_OBSERVATIONS);

    private static final Set<FaultKind> OUTLASTING_LEASES = EnumSet.of(ZOMBIE_SESSION, SLOW_AGENT);

    private static final String INSIDE = "it is inside a scheduler, whose feed shares one connection with its calls";

    /** Kinds that signals, host networks, small disks and hostile clients cannot do to real processes, and why. */
    private static final Map<FaultKind, String> NOT_AMONG_PROCESSES = Map.of(
            STALE_VIEW,
            INSIDE,
            TORN_FEED,
            INSIDE,
            LAGGING_REPLICA,
            "a log is purged by whole files of 16 MiB, and a run writes less",
            BAD_OBSERVATIONS,
            "they come inside the answers to a scheduler's reports");

    private final String number;
    private final String words;
    private final Part part;
    private final String does;
    private final String heals;

    FaultKind(String number, String words, Part part, String does, String heals) {
        this.number = number;
        this.words = words;
        this.part = part;
        this.does = does;
        this.heals = heals;
    }

    /** Its number in the catalogue. */
    public String number() {
        return number;
    }

    /** Its name in scenario files and on the command line. */
    public String words() {
        return words;
    }

    public Part part() {
        return part;
    }

    public String does() {
        return does;
    }

    public String heals() {
        return heals;
    }

    /** Returns whether that world can do it. */
    public boolean isIn(World world) {
        return switch (world) {
            case SIMULATED -> !NOT_SIMULATED.contains(this);
            case PROCESSES -> !NOT_AMONG_PROCESSES.containsKey(this);
        };
    }

    /** Returns whether a swarm draws it. */
    public boolean isDrawn() {
        return !NOT_DRAWN.contains(this);
    }

    /** Returns whether it shows nothing before a lease is over. */
    boolean outlastsLeases() {
        return OUTLASTING_LEASES.contains(this);
    }

    /** Why that world cannot do it, and where it can be; empty if it can. */
    public Optional<String> whyNotIn(World world) {
        if (isIn(world)) {
            return Optional.empty();
        }
        String why = world == World.PROCESSES ? NOT_AMONG_PROCESSES.get(this) : "the simulated world has no such part";
        return Optional.of(Arrays.stream(World.values())
                .filter(this::isIn)
                .findFirst()
                .map(other -> why + "; run it with --world " + other.words())
                .orElse(why + "; no world can do it yet"));
    }

    public static Optional<FaultKind> find(String words) {
        return Arrays.stream(values()).filter(kind -> kind.words.equals(words)).findFirst();
    }

    public static List<String> names() {
        return Arrays.stream(values()).map(FaultKind::words).toList();
    }
}
