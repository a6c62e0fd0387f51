package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.live.WaitsMessage;
import dev.cella.client.proto.MachineWaits;
import dev.cella.state.core.Time;
import dev.cella.transactions.model.MachineId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The wait-time matrices of the machines, as their agents reported them last: soft facts that only the leader keeps. They come
 * with the renewals of leases and leave with the answers to schedulers' reports, so a new leader has them within seconds. No
 * decision uses them.
 *
 * <p>Agents need not report what nobody reads: {@link #areWanted} says whether a scheduler has asked of late.
 *
 * <p>Guarded by its own monitor.
 */
public final class WaitFacts {
    private static final Duration KEPT = Duration.ofSeconds(30);
    private static final int MACHINES_MAX = 200_000;

    private record Heard(MachineWaits waits, long atNanos) {}

    private final Time time;
    private final Predicate<MachineId> isKnown;

    /** The oldest report first. */
    private final Map<MachineId, Heard> heard = new LinkedHashMap<>();

    private OptionalLong wantedNanos = OptionalLong.empty();

    /**
     * Empty at first.
     *
     * @param isKnown whether the cell has the machine; asked without the monitor, because it reads the cell
     */
    public WaitFacts(Time time, Predicate<MachineId> isKnown) {
        this.time = time;
        this.isKnown = isKnown;
    }

    /**
     * Keeps the machine's matrix, if the cell has the machine. A matrix that cannot be true is dropped, and the reason
     * returned.
     */
    Optional<String> put(MachineId machine, MachineWaits waits) {
        return isKnown.test(machine) ? keep(machine, waits) : Optional.empty();
    }

    private synchronized Optional<String> keep(MachineId machine, MachineWaits waits) {
        try {
            var unused = WaitsMessage.matrix(waits, 0);
        } catch (IllegalArgumentException untrue) {
            heard.remove(machine);
            return Optional.of(String.valueOf(untrue.getMessage()));
        }
        heard.remove(machine);
        heard.put(machine, new Heard(waits, time.monotonicNanos()));
        var oldest = heard.values().iterator();
        while (oldest.hasNext() && (isOlder(oldest.next(), KEPT) || heard.size() > MACHINES_MAX)) {
            oldest.remove();
        }
        return Optional.empty();
    }

    /** The machine's matrix with its age. */
    synchronized Optional<MachineWaits> find(MachineId machine) {
        return Optional.ofNullable(heard.get(machine))
                .filter(each -> !isOlder(each, KEPT))
                .map(this::withAge);
    }

    /** A scheduler asks for the matrices that were reported within that time. */
    synchronized Map<MachineId, MachineWaits> ask(Duration within) {
        wantedNanos = OptionalLong.of(time.monotonicNanos());
        Duration oldest = within.compareTo(KEPT) < 0 ? within : KEPT;
        Map<MachineId, MachineWaits> found = new LinkedHashMap<>();
        heard.forEach((machine, each) -> {
            if (!isOlder(each, oldest)) {
                found.put(machine, withAge(each));
            }
        });
        return found;
    }

    /** Returns whether a scheduler has asked of late. */
    synchronized boolean areWanted() {
        return wantedNanos.isPresent() && time.monotonicNanos() - wantedNanos.getAsLong() <= KEPT.toNanos();
    }

    private boolean isOlder(Heard each, Duration age) {
        return time.monotonicNanos() - each.atNanos > age.toNanos();
    }

    private MachineWaits withAge(Heard each) {
        return each.waits.toBuilder()
                .setSaidAgo(Durations.fromNanos(time.monotonicNanos() - each.atNanos))
                .build();
    }
}
