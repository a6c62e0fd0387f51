package dev.cella.chaos.processes;

import dev.cella.chaos.history.History;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The faults of a run: what each planned fault does to which parts of the cell. Owned by the thread of the run. */
final class ProcessFaults {
    private static final int HOUR_SECONDS = 3_600;

    private final ProcessCell cell;
    private final ProcessUsers users;
    private final DiskFaults disks;
    private final NetworkFaults networks;
    private final MemberFaults members;
    private final HostileClients clients;
    private final SplittableRandom random;
    private final FaultSchedule schedule;
    private final Holds<FaultSwitches> wrong = new Holds<>();

    ProcessFaults(ProcessCell cell, ProcessUsers users, List<PlannedFault> planned, SplittableRandom random) {
        this.cell = cell;
        this.users = users;
        this.disks = new DiskFaults(cell.gear(), users);
        this.networks = new NetworkFaults(cell);
        this.members = new MemberFaults(cell);
        this.clients = new HostileClients(users);
        this.random = random;
        this.schedule = new FaultSchedule(planned, this::choose);
    }

    void tick(long nowMillis) {
        schedule.tick(nowMillis);
    }

    /** Returns whether a fault is in force that has not bitten yet and may still. */
    boolean awaitsBite(long nowMillis) {
        return schedule.awaitsBite(nowMillis);
    }

    /** Ends every fault now, and starts what is not running. */
    void healAll(long nowMillis) {
        schedule.endAll(nowMillis);
        cell.parts().forEach(Part::heal);
    }

    /** Until the operator has done what the faults left to do, or for that time. */
    void awaitHealed(Duration most) {
        schedule.awaitHealed(most);
    }

    List<FaultRun> runs() {
        return schedule.runs();
    }

    /** The schedulers and machines of faults: what they claim and report is no fault of the cell. */
    List<String> untrusted() {
        return clients.names();
    }

    /** What the cell did for clients that had no right to it. */
    List<History.Trespass> trespasses() {
        return clients.trespasses();
    }

    // ---- which fault, on what

    private ProcessFault choose(PlannedFault planned) {
        return switch (planned.kind()) {
            case REPLICA_KILL -> SignalFaults.kill(servers(planned.on()));
            case REPLICA_PAUSE -> SignalFaults.pause(servers(planned.on()), 0);
            case SQUEEZE -> SignalFaults.squeeze(servers(planned.on()));
            case ROLLING_RESTART -> rollingRestart(planned.forMillis());
            case BIT_FLIP -> disks.bitFlip(servers(planned.on()));
            case DISK_FULL -> disks.full(servers(planned.on()));
            case DISK_ERROR -> disks.error(servers(planned.on()));
            case SLOW_DISK -> disks.slow(servers(planned.on()));
            case POWER_LOSS -> disks.powerLoss(servers(planned.on()));
            case CLOCK_JUMP -> clockJump(servers(planned.on()));
            case CUT -> networks.cut(anyOf(planned.on()));
            case FLAPPING_CUT -> networks.flappingCut(anyOf(planned.on()));
            case ONE_WAY_CUT -> networks.oneWayCut(anyOf(planned.on()));
            case RING_CUT -> networks.ringCut();
            case LOSSY_NETWORK -> networks.lossy();
            case SCHEDULER_KILL, PLANNER_DEATH -> SignalFaults.kill(of(Part.Role.SCHEDULER, planned.on()));
            case ZOMBIE_SESSION ->
                SignalFaults.pause(of(Part.Role.SCHEDULER, planned.on()), ProcessCell.LEASE.toMillis());
            case AGENT_KILL -> SignalFaults.kill(of(Part.Role.AGENT, planned.on()));
            case SLOW_AGENT -> SignalFaults.pause(of(Part.Role.AGENT, planned.on()), ProcessCell.LEASE.toMillis());
            case PLUGIN_EXCHANGE -> pluginExchange(planned);
            case NODE_LOSS -> networks.nodeLoss(of(Part.Role.AGENT, planned.on()));
            case SURGE -> load("users", done -> users.surge(30, done), () -> {});
            case FULL_CELL -> load("users", done -> users.surge(60, done), () -> {});
            case TWO_GANGS -> load("users", done -> users.submitGangs(2, done), () -> {});
            case STUBBORN_TASKS -> load("users", users::submitStubborn, users::submitAsUsual);
            case QUOTA_CHANGE ->
                load("pool research", done -> users.limitPool(100, done), () -> users.limitPool(1_000_000, () -> {}));
            case LOST_REPLIES -> lostReplies();
            case HOARDER -> clients.hoarder(planned.forMillis());
            case EVICTION_STORM -> clients.evictionStorm();
            case BAD_PLANNER -> clients.badPlanner();
            case LYING_AGENT -> clients.lyingAgent();
            case HOT_MACHINE -> clients.hotMachine(of(Part.Role.AGENT, planned.on()), planned.forMillis());
            case BAD_CREDENTIALS -> clients.badCredentials();
            case DISK_WIPE -> members.wipe(servers(planned.on()));
            case MEMBER_CHANGE -> members.change(servers(planned.on()));
            case LAGGING_REPLICA, STALE_VIEW, TORN_FEED, BAD_OBSERVATIONS ->
                ProcessFault.impossible(
                        planned.on(), planned.kind().whyNotIn(World.PROCESSES).orElseThrow());
        };
    }

    private List<Part> servers(String on) {
        List<Part> servers = cell.parts(Part.Role.SERVER);
        Optional<Part> leader = cell.leader();
        List<Part> followers = servers.stream()
                .filter(each -> leader.filter(each::equals).isEmpty())
                .toList();
        return switch (on) {
            case "all" -> servers;
            case "leader" -> leader.map(List::of).orElseGet(() -> one(servers));
            case "follower" -> one(followers);
            case "majority" -> servers.subList(0, servers.size() / 2 + 1);
            case "any" -> one(servers);
            default -> named(servers, on);
        };
    }

    private List<Part> of(Part.Role role, String on) {
        List<Part> parts = cell.parts(role);
        return switch (on) {
            case "all" -> parts;
            case "any" -> one(parts);
            default -> {
                List<Part> named = named(parts, on.replace("agent-", "m"));
                yield named.isEmpty() && role == Part.Role.AGENT ? one(parts) : named;
            }
        };
    }

    /** A server, a scheduler or an agent. */
    private List<Part> anyOf(String on) {
        List<Part> named = named(cell.parts(), on.replace("agent-", "m"));
        return named.isEmpty() ? servers(on) : named;
    }

    private static List<Part> named(List<Part> parts, String name) {
        return parts.stream().filter(part -> part.name().equals(name)).toList();
    }

    private List<Part> one(List<Part> parts) {
        return parts.isEmpty() ? parts : List.of(parts.get(random.nextInt(parts.size())));
    }

    // ---- faults of processes

    private ProcessFault rollingRestart(long forMillis) {
        List<Part> servers = cell.parts(Part.Role.SERVER);
        int[] next = {0};
        return ProcessFault.on(servers)
                .lasts(millis -> {
                    if (next[0] < servers.size() && millis >= next[0] * forMillis / servers.size()) {
                        servers.get(next[0]++).restart();
                    }
                })
                .isVoid(lasted -> next[0] == servers.size() ? "" : "only " + next[0] + " were restarted");
    }

    private ProcessFault clockJump(List<Part> servers) {
        List<FaultSwitches> clocks = servers.stream()
                .flatMap(server -> cell.gear().switches(server).stream())
                .toList();
        if (clocks.isEmpty()) {
            return ProcessFault.impossible(servers, "it needs a C compiler");
        }
        long before = clockHits(clocks);
        ProcessFault fault = ProcessFault.on(servers);
        return fault.begins(() -> clocks.forEach(clock -> {
                    wrong.take(clock, fault);
                    clock.moveClock(HOUR_SECONDS);
                }))
                .heals(() -> clocks.stream()
                        .filter(clock -> wrong.release(clock, fault))
                        .forEach(clock -> clock.moveClock(0)))
                .until(() -> clockHits(clocks) > before)
                .isVoid(lasted -> clockHits(clocks) > before ? "" : "nothing asked for the time");
    }

    private static long clockHits(List<FaultSwitches> clocks) {
        return clocks.stream().mapToLong(FaultSwitches::clockHits).sum();
    }

    /** The jar is overwritten while its scheduler runs from it, which then starts again with what is there. */
    private ProcessFault pluginExchange(PlannedFault planned) {
        List<Part> named = named(cell.pluginSchedulers(), planned.on());
        List<Part> schedulers = named.isEmpty() ? one(cell.pluginSchedulers()) : named;
        if (schedulers.isEmpty()) {
            return ProcessFault.impossible(
                    planned.on(), "no scheduler of this run comes from a jar: name one with --plugin and --scheduler");
        }
        return exchange(schedulers, cell::exchangeJars);
    }

    static ProcessFault exchange(List<Part> schedulers, Consumer<Part> exchange) {
        boolean[] ran = {false};
        return ProcessFault.on(schedulers)
                .begins(() -> schedulers.forEach(scheduler -> {
                    ran[0] |= scheduler.isAlive();
                    exchange.accept(scheduler);
                }))
                .heals(() -> schedulers.forEach(Part::restart))
                .isVoid(lasted -> ran[0] ? "" : "it was not running");
    }

    // ---- faults of the load

    /**
     * The users' thread does what a fault asks when it comes to it: that may be late, as while no server answers.
     *
     * @param begin gets what to call each time that the cell has done it
     */
    static ProcessFault load(String on, Consumer<Runnable> begin, Runnable heal) {
        AtomicLong done = new AtomicLong();
        return ProcessFault.on(on)
                .begins(() -> begin.accept(done::incrementAndGet))
                .heals(heal)
                .until(() -> done.get() > 0)
                .isVoid(lasted -> done.get() > 0 ? "" : "the cell did nothing of it in time");
    }

    private ProcessFault lostReplies() {
        long before = users.repliesLost();
        return ProcessFault.on("users")
                .begins(() -> users.loseReplies(true))
                .heals(() -> users.loseReplies(false))
                .isVoid(lasted -> users.repliesLost() > before ? "" : "nobody was answered");
    }
}
