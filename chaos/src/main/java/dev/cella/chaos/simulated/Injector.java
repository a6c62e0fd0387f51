package dev.cella.chaos.simulated;

import dev.cella.chaos.history.History;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Starts and ends the planned faults in a simulated cell. Each reports afterwards whether it had an effect: a fault without an
 * effect is VOID in the report.
 */
final class Injector {
    /** A fault that is in force. */
    static final class Injected {
        private final PlannedFault planned;
        private final String on;
        private final long fromMillis;
        private final Runnable heal;
        private final BooleanSupplier bit;
        private long untilMillis;
        private boolean over;

        Injected(PlannedFault planned, String on, long fromMillis, Runnable heal, BooleanSupplier bit) {
            this.planned = planned;
            this.on = on;
            this.fromMillis = fromMillis;
            this.heal = heal;
            this.bit = bit;
            this.untilMillis = planned.untilMillis();
        }

        FaultKind kind() {
            return planned.kind();
        }

        String on() {
            return on;
        }

        long fromMillis() {
            return fromMillis;
        }

        long untilMillis() {
            return untilMillis;
        }

        boolean isOver() {
            return over;
        }

        boolean bit() {
            return bit.getAsBoolean();
        }

        private void heal(long atMillis) {
            if (!over) {
                over = true;
                untilMillis = atMillis;
                heal.run();
            }
        }
    }

    private final SimulatedCell cell;
    private final List<Injected> injected = new ArrayList<>();
    private final CoreFaults core;
    private final ClientFaults clients;
    private boolean closed;

    Injector(SimulatedCell cell, SplittableRandom random) {
        this.cell = cell;
        this.core = new CoreFaults(cell, random.split());
        this.clients = new ClientFaults(cell, random.split());
    }

    void plan(List<PlannedFault> faults) {
        for (PlannedFault fault : faults) {
            cell.heap().after(fault.fromMillis() * DueEvents.MILLI, () -> begin(fault));
        }
    }

    private void begin(PlannedFault fault) {
        if (closed) {
            return;
        }
        Optional<Fault> found = fault.kind().part() == FaultKind.Part.CORE ? core.begin(fault) : clients.begin(fault);
        if (found.isEmpty()) {
            injected.add(new Injected(fault, fault.on(), cell.heap().nowMillis(), () -> {}, () -> false));
            return;
        }
        Fault begun = found.get();
        Injected one = new Injected(fault, begun.on(), cell.heap().nowMillis(), begun.heal(), begun.bit());
        injected.add(one);
        cell.heap().after(fault.forMillis() * DueEvents.MILLI, () -> {
            if (!closed || fault.kind().part() == FaultKind.Part.CORE) {
                one.heal(cell.heap().nowMillis());
            }
        });
    }

    /** The liveness phase: the core is healed for good, the load ends, and every other fault in force stays. */
    void beginLiveness() {
        closed = true;
        long now = cell.heap().nowMillis();
        for (Injected each : injected) {
            FaultKind.Part part = each.kind().part();
            if (part == FaultKind.Part.CORE || part == FaultKind.Part.LOAD) {
                each.heal(now);
            } else if (!each.isOver()) {
                breakForGood(each);
            }
        }
        core.healAll();
    }

    private void breakForGood(Injected fault) {
        History history = cell.history();
        history.broken.add(fault.on());
        if (fault.kind() == FaultKind.NODE_LOSS) {
            history.gone.add(fault.on());
        }
        for (SimulatedAgent agent : cell.agents()) {
            if (agent.process().name().equals(fault.on())) {
                agent.machines().forEach(machine -> {
                    history.broken.add(machine.name());
                    if (fault.kind() == FaultKind.AGENT_KILL) {
                        history.gone.add(machine.name());
                    }
                });
            }
        }
    }

    List<Injected> injected() {
        return injected;
    }

    /** What a fault is, once it has begun. */
    record Fault(String on, Runnable heal, BooleanSupplier bit) {
        /** One that has had an effect if the count has grown when it is healed: later faults make it grow, too. */
        static Fault counted(String on, LongSupplier count, Runnable heal) {
            long before = count.getAsLong();
            OptionalLong[] atLast = {OptionalLong.empty()};
            return new Fault(
                    on,
                    () -> {
                        heal.run();
                        atLast[0] = OptionalLong.of(count.getAsLong());
                    },
                    () -> atLast[0].orElseGet(count) > before);
        }
    }
}
