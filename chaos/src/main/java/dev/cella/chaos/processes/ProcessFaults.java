package dev.cella.chaos.processes;

import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Begins, keeps up and ends the faults of a run. Each is looked at while it lasts: a fault that the kernel does not show, or
 * that is shorter than what it has to outlast, is VOID. Owned by the thread of the run.
 */
final class ProcessFaults {
    /** A fault in force, or over. */
    private static final class Open {
        private final PlannedFault planned;
        private final ProcessFault fault;
        private final long fromMillis;
        private long untilMillis;
        private String why = "";
        private boolean over;

        Open(PlannedFault planned, ProcessFault fault, long fromMillis) {
            this.planned = planned;
            this.fault = fault;
            this.fromMillis = fromMillis;
            this.untilMillis = fromMillis;
        }
    }

    private final ProcessCell cell;
    private final ProcessUsers users;
    private final SplittableRandom random;
    private final List<PlannedFault> waiting = new ArrayList<>();
    private final List<Open> opened = new ArrayList<>();

    ProcessFaults(ProcessCell cell, ProcessUsers users, List<PlannedFault> planned, SplittableRandom random) {
        this.cell = cell;
        this.users = users;
        this.random = random;
        this.waiting.addAll(planned);
    }

    /** Begins what is due, keeps up what lasts, and ends what is over. */
    void tick(long nowMillis) {
        for (PlannedFault planned : List.copyOf(waiting)) {
            if (planned.fromMillis() <= nowMillis) {
                waiting.remove(planned);
                begin(planned, nowMillis);
            }
        }
        for (Open open : opened) {
            if (!open.over && nowMillis >= open.fromMillis + open.planned.forMillis()) {
                end(open, nowMillis);
            } else if (!open.over) {
                open.fault.keepUp(nowMillis - open.fromMillis);
            }
        }
    }

    private void begin(PlannedFault planned, long nowMillis) {
        Open open = new Open(planned, choose(planned), nowMillis);
        opened.add(open);
        try {
            open.fault.begin();
        } catch (Tool.Refusal | UncheckedIOException cannot) {
            open.why = String.valueOf(cannot.getMessage());
            end(open, nowMillis);
        }
    }

    private void end(Open open, long nowMillis) {
        open.over = true;
        open.untilMillis = nowMillis;
        if (open.why.isEmpty()) {
            open.why = open.fault.whyVoid(nowMillis - open.fromMillis);
        }
        open.fault.heal();
    }

    /** Ends every fault now, and starts what is not running. */
    void healAll(long nowMillis) {
        waiting.clear();
        for (Open open : opened) {
            if (!open.over) {
                end(open, nowMillis);
            }
        }
        cell.parts().forEach(Part::resume);
        cell.parts().forEach(Part::startAgain);
    }

    List<FaultRun> runs() {
        return opened.stream()
                .map(open -> new FaultRun(
                        open.planned.kind(),
                        open.fault.on(),
                        open.fromMillis,
                        open.untilMillis,
                        open.why.isEmpty(),
                        open.why))
                .toList();
    }

    // ---- which fault, on what

    private ProcessFault choose(PlannedFault planned) {
        return switch (planned.kind()) {
            case REPLICA_KILL, LAGGING_REPLICA -> kill(servers(planned.on()));
            case REPLICA_PAUSE -> pause(servers(planned.on()), 0);
            case SQUEEZE -> squeeze(servers(planned.on()));
            case ROLLING_RESTART -> rollingRestart(planned.forMillis());
            case BIT_FLIP -> bitFlip(servers(planned.on()));
            case DISK_FULL -> diskFull(servers(planned.on()));
            case CUT -> cut(anyOf(planned.on()), false);
            case FLAPPING_CUT -> cut(anyOf(planned.on()), true);
            case ONE_WAY_CUT -> losses(oneWay(servers(planned.on())), planned.on());
            case RING_CUT -> losses(notNeighbours(), "all");
            case LOSSY_NETWORK -> lossy();
            case SCHEDULER_KILL, PLANNER_DEATH -> kill(of(Part.Role.SCHEDULER, planned.on()));
            case ZOMBIE_SESSION -> pause(of(Part.Role.SCHEDULER, planned.on()), ProcessCell.LEASE.toMillis());
            case AGENT_KILL -> kill(of(Part.Role.AGENT, planned.on()));
            case SLOW_AGENT -> pause(of(Part.Role.AGENT, planned.on()), ProcessCell.LEASE.toMillis());
            case NODE_LOSS -> nodeLoss(of(Part.Role.AGENT, planned.on()));
            case SURGE -> load("users", () -> users.surge(30), () -> {});
            case FULL_CELL -> load("users", () -> users.surge(60), () -> {});
            case TWO_GANGS -> load("users", () -> users.submitGangs(2), () -> {});
            case STUBBORN_TASKS -> load("users", () -> users.submitStubborn(true), () -> users.submitStubborn(false));
            case QUOTA_CHANGE -> load("pool research", () -> users.limitPool(100), () -> users.limitPool(1_000_000));
            case LOST_REPLIES,
                    CLOCK_JUMP,
                    POWER_LOSS,
                    DISK_ERROR,
                    SLOW_DISK,
                    DISK_WIPE,
                    MEMBER_CHANGE,
                    BAD_CREDENTIALS,
                    STALE_VIEW,
                    TORN_FEED,
                    BAD_PLANNER,
                    HOARDER,
                    LYING_AGENT,
                    BAD_OBSERVATIONS,
                    EVICTION_STORM,
                    HOT_MACHINE,
                    PLUGIN_EXCHANGE ->
                ProcessFault.impossible(planned.on(), "processes cannot be given it; the simulated world can");
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

    private static ProcessFault kill(List<Part> parts) {
        boolean[] lived = {false};
        return ProcessFault.on(parts)
                .begins(() -> parts.forEach(part -> {
                    lived[0] |= part.isAlive();
                    part.kill();
                }))
                .heals(() -> parts.forEach(Part::startAgain))
                .isVoid(lasted -> lived[0] ? "" : "it was not running");
    }

    private static ProcessFault pause(List<Part> parts, long longerThanMillis) {
        boolean[] stopped = {false};
        return ProcessFault.on(parts)
                .begins(() -> parts.forEach(Part::pause))
                .lasts(millis -> stopped[0] |= parts.stream().anyMatch(Part::isPaused))
                .heals(() -> parts.forEach(Part::resume))
                .isVoid(lasted -> !stopped[0]
                        ? "the kernel never showed it stopped"
                        : lasted <= longerThanMillis
                                ? "it was shorter than the lease of " + longerThanMillis + " ms"
                                : "");
    }

    /** The process is stopped for most of the time. */
    private static ProcessFault squeeze(List<Part> parts) {
        int[] turns = {0};
        return ProcessFault.on(parts)
                .lasts(millis -> parts.forEach(turns[0]++ % 4 == 3 ? Part::resume : Part::pause))
                .heals(() -> parts.forEach(Part::resume))
                .isVoid(lasted -> turns[0] > 4 ? "" : "it was too short");
    }

    private ProcessFault rollingRestart(long forMillis) {
        List<Part> servers = cell.parts(Part.Role.SERVER);
        int[] next = {0};
        return ProcessFault.on(servers)
                .lasts(millis -> {
                    if (next[0] < servers.size() && millis >= next[0] * forMillis / servers.size()) {
                        Part server = servers.get(next[0]++);
                        server.stop();
                        server.startAgain();
                    }
                })
                .isVoid(lasted -> next[0] == servers.size() ? "" : "only " + next[0] + " were restarted");
    }

    // ---- faults of disks

    private static ProcessFault bitFlip(List<Part> servers) {
        if (servers.isEmpty()) {
            return ProcessFault.impossible("any", "no replica is there");
        }
        Part server = servers.get(0);
        boolean[] flipped = {false};
        return ProcessFault.on(List.of(server))
                .begins(() -> {
                    server.kill();
                    flipped[0] = flip(server.data().resolve("checkpoints"));
                })
                .heals(server::startAgain)
                .isVoid(lasted -> flipped[0] ? "" : "it has no checkpoint yet");
    }

    /** Flips a bit in the middle of the newest checkpoint's largest file. */
    private static boolean flip(Path checkpoints) {
        try (Stream<Path> files = Files.walk(checkpoints)) {
            Optional<Path> largest = files.filter(Files::isRegularFile)
                    .max(Comparator.comparing(ProcessFaults::modified)
                            .thenComparing(file -> file.toFile().length()));
            if (largest.isEmpty() || largest.get().toFile().length() == 0) {
                return false;
            }
            byte[] content = Files.readAllBytes(largest.get());
            content[content.length / 2] ^= 1;
            Files.write(largest.get(), content);
            return true;
        } catch (IOException | UncheckedIOException none) {
            return false;
        }
    }

    private static long modified(Path file) {
        return file.toFile().lastModified();
    }

    private ProcessFault diskFull(List<Part> servers) {
        if (cell.network().isEmpty()) {
            return ProcessFault.impossible(names(servers), "it needs mount namespaces");
        }
        return ProcessFault.on(servers)
                .begins(() -> servers.forEach(server -> SmallDisks.fill(server.data())))
                .heals(() -> servers.forEach(server -> {
                    SmallDisks.free(server.data());
                    server.startAgain();
                }));
    }

    // ---- faults of the network

    private ProcessFault cut(List<Part> parts, boolean flapping) {
        Optional<HostNetwork> hosts = cell.network();
        if (hosts.isEmpty()) {
            return ProcessFault.impossible(names(parts), "it needs network namespaces");
        }
        HostNetwork network = hosts.get();
        boolean[] cut = {false};
        boolean[] down = {false};
        return ProcessFault.on(parts)
                .lasts(millis -> {
                    boolean wanted = !flapping || millis / 1_000 % 2 == 0;
                    if (wanted != down[0]) {
                        down[0] = wanted;
                        parts.forEach(part -> set(network, part.host(), wanted));
                    }
                    cut[0] |= parts.stream().anyMatch(part -> network.isCutOff(part.host()));
                })
                .heals(() -> parts.forEach(part -> network.reconnect(part.host())))
                .isVoid(lasted -> cut[0] ? "" : "the connection was never down");
    }

    private static void set(HostNetwork network, int host, boolean down) {
        if (down) {
            network.cutOff(host);
        } else {
            network.reconnect(host);
        }
    }

    /** All packets from the first host to the second are lost. */
    private record Loss(int from, int to) {}

    /** The part sends, and nothing reaches it. */
    private List<Loss> oneWay(List<Part> parts) {
        return parts.stream()
                .flatMap(to -> cell.parts().stream()
                        .filter(from -> !from.equals(to))
                        .map(from -> new Loss(from.host(), to.host())))
                .toList();
    }

    private List<Loss> notNeighbours() {
        List<Part> servers = cell.parts(Part.Role.SERVER);
        List<Loss> losses = new ArrayList<>();
        for (int from = 0; from < servers.size(); from++) {
            for (int to = 0; to < servers.size(); to++) {
                int apart = Math.floorMod(from - to, servers.size());
                if (apart > 1 && apart < servers.size() - 1) {
                    losses.add(
                            new Loss(servers.get(from).host(), servers.get(to).host()));
                }
            }
        }
        return losses;
    }

    private ProcessFault losses(List<Loss> losses, String on) {
        Optional<HostNetwork> hosts = cell.network();
        if (hosts.isEmpty() || losses.isEmpty()) {
            return ProcessFault.impossible(
                    on, hosts.isEmpty() ? "it needs network namespaces" : "all replicas are neighbours");
        }
        HostNetwork network = hosts.get();
        return ProcessFault.on(on)
                .begins(() -> losses.forEach(loss -> network.loseFrom(loss.from(), loss.to())))
                .heals(() -> losses.forEach(loss -> network.loseNothingFrom(loss.from(), loss.to())));
    }

    private ProcessFault lossy() {
        Optional<HostNetwork> hosts = cell.network();
        if (hosts.isEmpty()) {
            return ProcessFault.impossible("all", "it needs network namespaces");
        }
        List<Part> servers = cell.parts(Part.Role.SERVER);
        return ProcessFault.on("all")
                .begins(() -> servers.forEach(server -> hosts.get().disturb(server.host())))
                .heals(() -> servers.forEach(server -> hosts.get().calm(server.host())));
    }

    private ProcessFault nodeLoss(List<Part> agents) {
        Optional<HostNetwork> hosts = cell.network();
        if (hosts.isEmpty()) {
            return ProcessFault.impossible(names(agents), "it needs network namespaces");
        }
        HostNetwork network = hosts.get();
        return ProcessFault.on(agents)
                .begins(() -> agents.forEach(agent -> {
                    network.cutOff(agent.host());
                    network.processesOn(agent.host()).forEach(Signals::kill);
                    agent.kill();
                }))
                .heals(() -> agents.forEach(agent -> {
                    network.reconnect(agent.host());
                    agent.startAgain();
                }));
    }

    // ---- faults of the load

    private static ProcessFault load(String on, Runnable begin, Runnable heal) {
        return ProcessFault.on(on).begins(begin).heals(heal);
    }

    private static String names(List<Part> parts) {
        return String.join(",", parts.stream().map(Part::name).toList());
    }
}
