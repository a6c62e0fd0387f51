package dev.cella.chaos.simulated;

import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.simulated.Injector.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** The faults of replicas, their disks and clocks, and the network. */
final class CoreFaults {
    private static final long HOUR_MILLIS = 3_600_000;

    private final SimulatedCell cell;
    private final SplittableRandom random;
    private int disturbing;
    private int losingReplies;

    CoreFaults(SimulatedCell cell, SplittableRandom random) {
        this.cell = cell;
        this.random = random;
    }

    /** Nothing where it cannot be done now. */
    Optional<Fault> begin(PlannedFault fault) {
        return switch (fault.kind()) {
            case LOSSY_NETWORK -> Optional.of(lossyNetwork());
            case LOST_REPLIES -> Optional.of(lostReplies());
            case RING_CUT -> ringCut();
            case ROLLING_RESTART -> Optional.of(rollingRestart(fault.forMillis()));
            case CUT -> cut(fault.on());
            case ONE_WAY_CUT ->
                targets(fault.on()).isEmpty() ? disturb(clients(fault.on()), this::deafen) : onReplica(fault);
            default -> onReplica(fault);
        };
    }

    private Optional<Fault> onReplica(PlannedFault fault) {
        List<SimulatedReplica> hit = targets(fault.on());
        if (hit.isEmpty()) {
            return Optional.empty();
        }
        List<Fault> each = hit.stream().map(replica -> begin(fault, replica)).toList();
        return Optional.of(new Fault(
                String.join(",", each.stream().map(Fault::on).toList()),
                () -> each.forEach(one -> one.heal().run()),
                () -> each.stream().anyMatch(one -> one.bit().getAsBoolean())));
    }

    private Fault begin(PlannedFault fault, SimulatedReplica replica) {
        return switch (fault.kind()) {
            case REPLICA_KILL -> kill(replica);
            case LAGGING_REPLICA -> lag(replica);
            case REPLICA_PAUSE -> pause(replica);
            case ONE_WAY_CUT -> oneWay(replica);
            case FLAPPING_CUT -> flapping(replica);
            case CLOCK_JUMP -> clockJump(replica);
            case POWER_LOSS -> powerLoss(replica);
            case DISK_ERROR -> diskError(replica);
            case SLOW_DISK -> slowDisk(replica);
            case DISK_FULL -> diskFull(replica);
            case BIT_FLIP -> bitFlip(replica);
            case DISK_WIPE -> diskWipe(replica);
            case SQUEEZE -> squeeze(replica);
            default -> throw new IllegalArgumentException(fault.kind() + " is no fault of a replica");
        };
    }

    private List<SimulatedReplica> targets(String on) {
        List<SimulatedReplica> alive = cell.replicas().stream()
                .filter(replica -> replica.process().isRunning())
                .toList();
        int majority = cell.replicas().size() / 2 + 1;
        return switch (on) {
            case "all" -> alive;
            case "majority" -> alive.stream().limit(majority).toList();
            case "leader" -> cell.serving().map(List::of).orElse(List.of());
            case "follower" ->
                alive.stream().filter(replica -> !replica.leads()).limit(1).toList();
            case "any" -> alive.isEmpty() ? List.of() : List.of(alive.get(random.nextInt(alive.size())));
            default ->
                alive.stream().filter(replica -> replica.name().equals(on)).toList();
        };
    }

    // ---- processes

    private static Fault kill(SimulatedReplica replica) {
        replica.kill();
        return new Fault(replica.name(), replica::start, () -> true);
    }

    /** It lagged if the others had purged what it lacks, so that it got a checkpoint from one of them. */
    private static Fault lag(SimulatedReplica replica) {
        int before = replica.store().received();
        replica.kill();
        return new Fault(replica.name(), replica::start, () -> replica.store().received() > before);
    }

    private static Fault pause(SimulatedReplica replica) {
        SimulatedProcess process = replica.process();
        process.stop();
        return Fault.counted(replica.name(), process::delayed, process::proceed);
    }

    private static Fault squeeze(SimulatedReplica replica) {
        SimulatedProcess process = replica.process();
        process.slow(20 * DueEvents.MILLI);
        return Fault.counted(replica.name(), process::delayed, () -> process.slow(0));
    }

    private static Fault clockJump(SimulatedReplica replica) {
        SimulatedProcess process = replica.process();
        process.jumpWallClock(HOUR_MILLIS);
        return Fault.counted(replica.name(), process::wrongTimes, () -> process.jumpWallClock(-HOUR_MILLIS));
    }

    private Fault rollingRestart(long forMillis) {
        int count = cell.replicas().size();
        int[] killed = {0};
        for (int place = 0; place < count; place++) {
            SimulatedReplica replica = cell.replicas().get(place);
            long at = forMillis * place / count;
            cell.heap().after(at * DueEvents.MILLI, () -> {
                killed[0] += replica.process().isAlive() ? 1 : 0;
                replica.kill();
            });
            cell.heap().after((at + forMillis / (2L * count)) * DueEvents.MILLI, replica::start);
        }
        return new Fault("all", () -> cell.replicas().forEach(SimulatedReplica::start), () -> killed[0] > 0);
    }

    // ---- disks

    private static Fault powerLoss(SimulatedReplica replica) {
        replica.losePower();
        return new Fault(replica.name(), replica::start, () -> true);
    }

    private static Fault diskError(SimulatedReplica replica) {
        SimulatedDisk disk = replica.disk();
        disk.fail(true);
        return Fault.counted(replica.name(), disk::faultsMet, () -> disk.fail(false));
    }

    private static Fault slowDisk(SimulatedReplica replica) {
        SimulatedDisk disk = replica.disk();
        disk.slow(300 * DueEvents.MILLI);
        return Fault.counted(replica.name(), disk::faultsMet, () -> disk.slow(0));
    }

    private static Fault diskFull(SimulatedReplica replica) {
        SimulatedDisk disk = replica.disk();
        disk.fill(true);
        return Fault.counted(replica.name(), disk::faultsMet, () -> disk.fill(false));
    }

    /** If its log does not reach back to an older checkpoint, the replica has to be replaced. */
    private Fault bitFlip(SimulatedReplica replica) {
        if (!cell.group().isWholeWithout(replica.name())) {
            return nothingAt(replica);
        }
        int before = replica.store().refused();
        replica.kill();
        boolean flipped = replica.store().flipBit();
        return new Fault(
                replica.name(), replica::start, () -> flipped && replica.store().refused() > before);
    }

    private static Fault nothingAt(SimulatedReplica replica) {
        return new Fault(replica.name(), () -> {}, () -> false);
    }

    private Fault diskWipe(SimulatedReplica replica) {
        if (!cell.group().isWholeWithout(replica.name())) {
            return nothingAt(replica);
        }
        replica.wipe();
        return new Fault(replica.name(), replica::start, () -> true);
    }

    // ---- the network

    private Optional<Fault> cut(String on) {
        List<String> cutOff = new ArrayList<>();
        targets(on).forEach(replica -> cutOff.add(replica.name()));
        if (cutOff.isEmpty()) {
            cutOff.addAll(clients(on));
        }
        return disturb(cutOff, this::cutFromReplicas);
    }

    /** Disturbs the connections of these processes until the fault is healed; nothing if there are none. */
    private Optional<Fault> disturb(List<String> processes, BiConsumer<String, Boolean> cutting) {
        if (processes.isEmpty()) {
            return Optional.empty();
        }
        processes.forEach(name -> cutting.accept(name, true));
        return Optional.of(
                cut(String.join(",", processes), () -> processes.forEach(name -> cutting.accept(name, false))));
    }

    private Fault cut(String on, Runnable heal) {
        return Fault.counted(on, cell.network()::dropped, heal);
    }

    /** The processes of the schedulers and the agent of that name. */
    private List<String> clients(String named) {
        return Stream.concat(
                        cell.schedulers().stream()
                                .filter(scheduler -> scheduler.name().equals(named))
                                .map(scheduler -> scheduler.process().name()),
                        cell.agents().stream()
                                .map(agent -> agent.process().name())
                                .filter(name -> name.equals(named)))
                .toList();
    }

    private void cutFromReplicas(String name, boolean cut) {
        for (SimulatedReplica other : cell.replicas()) {
            if (!other.name().equals(name)) {
                set(name, other.name(), cut);
                set(other.name(), name, cut);
            }
        }
    }

    private void set(String from, String to, boolean cut) {
        if (cut) {
            cell.network().cut(from, to);
        } else {
            cell.network().heal(from, to);
        }
    }

    private Fault oneWay(SimulatedReplica replica) {
        return cut(replica.name(), oneWay(replica, true));
    }

    private Runnable oneWay(SimulatedReplica replica, boolean cut) {
        for (SimulatedReplica other : cell.replicas()) {
            if (other != replica) {
                set(other.name(), replica.name(), cut);
            }
        }
        return () -> oneWay(replica, false);
    }

    /** Its calls arrive; answers and feeds do not. */
    private void deafen(String client, boolean deaf) {
        cell.replicas().forEach(replica -> set(replica.name(), client, deaf));
    }

    private Optional<Fault> ringCut() {
        List<SimulatedReplica> all = cell.replicas();
        if (all.size() < 3) {
            return Optional.empty();
        }
        ring(true);
        return Optional.of(cut("all", () -> ring(false)));
    }

    /**
     * With three replicas the first and the last cannot reach each other; with five each reaches only its neighbours.
     */
    private void ring(boolean cut) {
        List<SimulatedReplica> all = cell.replicas();
        int count = all.size();
        for (int one = 0; one < count; one++) {
            for (int other = one + 1; other < count; other++) {
                boolean beside = other - one == 1 || (count > 3 && one == 0 && other == count - 1);
                if (!beside) {
                    set(all.get(one).name(), all.get(other).name(), cut);
                    set(all.get(other).name(), all.get(one).name(), cut);
                }
            }
        }
    }

    private Fault flapping(SimulatedReplica replica) {
        boolean[] down = {false};
        boolean[] over = {false};
        flap(replica.name(), down, over);
        return cut(replica.name(), () -> {
            over[0] = true;
            if (down[0]) {
                cutFromReplicas(replica.name(), false);
            }
        });
    }

    private void flap(String name, boolean[] down, boolean[] over) {
        if (over[0]) {
            return;
        }
        down[0] = !down[0];
        cutFromReplicas(name, down[0]);
        cell.heap().after(1_000 * DueEvents.MILLI, () -> flap(name, down, over));
    }

    private Fault lossyNetwork() {
        cell.network().disturb(20 * DueEvents.MILLI, 5, 5, true);
        disturbing++;
        return Fault.counted("network", cell.network()::disturbed, this::calmNetwork);
    }

    private void calmNetwork() {
        disturbing--;
        if (disturbing == 0) {
            cell.network().disturb(0, 0, 0, false);
        }
    }

    private Fault lostReplies() {
        cell.loseReplies(30);
        losingReplies++;
        return Fault.counted("clients", cell::repliesLost, this::letRepliesPass);
    }

    private void letRepliesPass() {
        losingReplies--;
        if (losingReplies == 0) {
            cell.loseReplies(0);
        }
    }

    /** Heals everything in the core. */
    void healAll() {
        cell.network().healAll();
        cell.loseReplies(0);
        for (SimulatedReplica replica : cell.replicas()) {
            replica.disk().heal();
            replica.process().slow(0);
            replica.process().proceed();
            replica.start();
        }
    }
}
