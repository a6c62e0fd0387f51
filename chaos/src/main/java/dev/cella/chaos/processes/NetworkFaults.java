package dev.cella.chaos.processes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults of connections between hosts, and of whole hosts. */
final class NetworkFaults {
    private static final String NO_NETWORK = "it needs network namespaces";

    /** All packets from the first host to the second are lost. */
    private record Loss(int from, int to) {}

    private final ProcessCell cell;
    private final Holds<Integer> cutOff = new Holds<>();
    private final Holds<Loss> losing = new Holds<>();
    private final Holds<Integer> disturbed = new Holds<>();

    NetworkFaults(ProcessCell cell) {
        this.cell = cell;
    }

    // ---- cuts

    ProcessFault cut(List<Part> parts) {
        return cut(parts, false);
    }

    /** Down every second second. */
    ProcessFault flappingCut(List<Part> parts) {
        return cut(parts, true);
    }

    private ProcessFault cut(List<Part> parts, boolean flapping) {
        Optional<HostNetwork> hosts = cell.network();
        if (hosts.isEmpty()) {
            return ProcessFault.impossible(parts, NO_NETWORK);
        }
        HostNetwork network = hosts.get();
        boolean[] cut = {false};
        boolean[] down = {false};
        ProcessFault fault = ProcessFault.on(parts);
        return fault.lasts(millis -> {
                    boolean wanted = !flapping || millis / 1_000 % 2 == 0;
                    if (wanted != down[0]) {
                        down[0] = wanted;
                        parts.forEach(part -> set(network, part.host(), wanted, fault));
                    }
                    cut[0] |= parts.stream().anyMatch(part -> network.isCutOff(part.host()));
                })
                .heals(() -> parts.forEach(part -> set(network, part.host(), false, fault)))
                .isVoid(lasted -> cut[0] ? "" : "the connection was never down");
    }

    private void set(HostNetwork network, int host, boolean down, ProcessFault by) {
        if (down && cutOff.take(host, by)) {
            network.cutOff(host);
        } else if (!down && cutOff.release(host, by)) {
            network.reconnect(host);
        }
    }

    // ---- losses in one direction

    /** The parts send, and nothing reaches them. */
    ProcessFault oneWayCut(List<Part> parts) {
        List<Loss> losses = parts.stream()
                .flatMap(to -> cell.parts().stream()
                        .filter(from -> !from.equals(to))
                        .map(from -> new Loss(from.host(), to.host())))
                .toList();
        return losses(losses, Part.names(parts));
    }

    ProcessFault ringCut() {
        return losses(notNeighbours(), "all");
    }

    /** With three replicas the first and the last; with five each and the two that are not beside it. */
    private List<Loss> notNeighbours() {
        List<Part> servers = cell.parts(Part.Role.SERVER);
        int count = servers.size();
        List<Loss> losses = new ArrayList<>();
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                int apart = Math.abs(from - to);
                boolean beside = apart <= 1 || (count > 3 && apart == count - 1);
                if (!beside) {
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
            return ProcessFault.impossible(on, hosts.isEmpty() ? NO_NETWORK : "all replicas are neighbours");
        }
        HostNetwork network = hosts.get();
        boolean[] lost = {false};
        ProcessFault fault = ProcessFault.on(on);
        return fault.begins(() -> losses.stream()
                        .filter(loss -> losing.take(loss, fault))
                        .forEach(loss -> network.loseFrom(loss.from(), loss.to())))
                .lasts(millis -> lost[0] =
                        lost[0] || losses.stream().allMatch(loss -> network.losesFrom(loss.from(), loss.to())))
                .heals(() -> losses.stream()
                        .filter(loss -> losing.release(loss, fault))
                        .forEach(loss -> network.loseNothingFrom(loss.from(), loss.to())))
                .isVoid(lasted -> lost[0] ? "" : "the kernel never showed the loss");
    }

    // ---- a bad network

    ProcessFault lossy() {
        Optional<HostNetwork> hosts = cell.network();
        if (hosts.isEmpty()) {
            return ProcessFault.impossible("all", NO_NETWORK);
        }
        List<Part> servers = cell.parts(Part.Role.SERVER);
        HostNetwork network = hosts.get();
        boolean[] lost = {false};
        ProcessFault fault = ProcessFault.on("all");
        return fault.begins(() -> servers.stream()
                        .map(Part::host)
                        .filter(host -> disturbed.take(host, fault))
                        .forEach(network::disturb))
                .lasts(millis ->
                        lost[0] = lost[0] || servers.stream().anyMatch(server -> network.hasLost(server.host())))
                .until(() -> lost[0])
                .heals(() -> servers.stream()
                        .map(Part::host)
                        .filter(host -> disturbed.release(host, fault))
                        .forEach(network::calm))
                .isVoid(lasted -> lost[0] ? "" : "no message was lost");
    }

    // ---- hosts

    ProcessFault nodeLoss(List<Part> agents) {
        Optional<HostNetwork> hosts = cell.network();
        if (hosts.isEmpty()) {
            return ProcessFault.impossible(agents, NO_NETWORK);
        }
        HostNetwork network = hosts.get();
        int[] killed = {0};
        ProcessFault fault = ProcessFault.on(agents);
        return fault.begins(() -> agents.forEach(agent -> {
                    set(network, agent.host(), true, fault);
                    List<Long> processes = network.processesOn(agent.host());
                    killed[0] += processes.size();
                    processes.forEach(Signals::kill);
                    agent.keepDown(fault);
                }))
                .heals(() -> agents.forEach(agent -> {
                    set(network, agent.host(), false, fault);
                    agent.startAgain(fault);
                }))
                .isVoid(lasted -> killed[0] > 0 ? "" : "nothing ran on it");
    }
}
