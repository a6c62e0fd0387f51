package dev.cella.chaos.simulated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The members of one replicated log, and, for the checkers, what any of them has ever applied at each index. */
final class LogGroup {
    /** One applied entry; without bytes it is the log's own. */
    static final class Applied {
        private final long atNanos;
        private final byte @Nullable [] bytes;

        Applied(long atNanos, byte @Nullable [] bytes) {
            this.atNanos = atNanos;
            this.bytes = bytes;
        }

        long atNanos() {
            return atNanos;
        }

        byte @Nullable [] bytes() {
            return bytes;
        }
    }

    private final SimulatedNetwork network;
    private final Map<String, SimulatedLog> members = new TreeMap<>();
    private final List<Applied> applied = new ArrayList<>();
    private final List<String> divergences = new ArrayList<>();
    private long elections;

    LogGroup(SimulatedNetwork network) {
        this.network = network;
    }

    void join(SimulatedLog member) {
        members.put(member.name(), member);
    }

    int majority() {
        return members.size() / 2 + 1;
    }

    /**
     * Returns whether a majority has all entries on its disks, also if that member loses its own. A majority of lost disks is
     * lost data, and not a fault to survive.
     */
    boolean isWholeWithout(String member) {
        long whole = members.values().stream()
                .filter(other -> !other.name().equals(member) && other.isWhole())
                .count();
        return whole >= majority();
    }

    List<String> others(String than) {
        return members.keySet().stream().filter(name -> !name.equals(than)).toList();
    }

    /** The member that leads with the highest term, if any does. */
    Optional<SimulatedLog> leader() {
        return members.values().stream()
                .filter(SimulatedLog::isLeader)
                .reduce((one, other) -> one.term() > other.term() ? one : other);
    }

    /** A member's message to another. */
    interface Message {
        void deliverTo(SimulatedLog member);
    }

    void send(SimulatedLog from, String to, Message message) {
        SimulatedLog receiver = members.get(to);
        if (receiver != null) {
            network.send(from.process(), receiver.process(), () -> {
                SimulatedLog now = members.get(to);
                if (now != null) {
                    message.deliverTo(now);
                }
            });
        }
    }

    void elected() {
        elections++;
    }

    long elections() {
        return elections;
    }

    /** A member has applied that entry: every member must apply the same ones. */
    void applied(String by, long index, Applied entry) {
        if (index == applied.size()) {
            applied.add(entry);
        } else if (index > applied.size()) {
            divergences.add(by + " applied entry " + index + " when the log had " + applied.size());
        } else if (!Arrays.equals(applied.get((int) index).bytes, entry.bytes)) {
            divergences.add(by + " applied another entry " + index + " than the members before it");
        }
    }

    /** All entries in order, applied by at least one member. */
    List<Applied> entries() {
        return applied;
    }

    /** Places where members applied different logs. */
    List<String> divergences() {
        return divergences;
    }
}
