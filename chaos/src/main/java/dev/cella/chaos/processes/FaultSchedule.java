package dev.cella.chaos.processes;

import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Begins, keeps up and ends the faults of a run at their times. Each is looked at while it lasts: a fault that the machine
 * refuses, that the kernel does not show, or that is shorter than what it has to outlast, is VOID. Owned by the thread of the
 * run.
 */
final class FaultSchedule {
    /** On a busy machine a fault that needs some work of the cell may take longer to bite than it was planned. */
    static final long LONGER_MILLIS_MAX = 60_000;

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

        boolean isDue(long nowMillis) {
            return nowMillis >= fromMillis + planned.forMillis() && !awaitsBite(nowMillis);
        }

        boolean awaitsBite(long nowMillis) {
            return !over && !fault.hasBitten() && nowMillis < fromMillis + planned.forMillis() + LONGER_MILLIS_MAX;
        }

        String why() {
            return why.isEmpty() ? fault.whyVoidAtLast() : why;
        }
    }

    private final Function<PlannedFault, ProcessFault> choice;
    private final List<PlannedFault> waiting = new ArrayList<>();
    private final List<Open> opened = new ArrayList<>();

    /**
     * @param choice says what a planned fault is, at the moment at which it begins
     */
    FaultSchedule(List<PlannedFault> planned, Function<PlannedFault, ProcessFault> choice) {
        this.waiting.addAll(planned);
        this.choice = choice;
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
            if (!open.over && open.isDue(nowMillis)) {
                end(open, nowMillis);
            } else if (!open.over) {
                orVoid(open, nowMillis, () -> open.fault.keepUp(nowMillis - open.fromMillis));
            }
        }
    }

    private void begin(PlannedFault planned, long nowMillis) {
        Open open = new Open(planned, choice.apply(planned), nowMillis);
        opened.add(open);
        orVoid(open, nowMillis, open.fault::begin);
    }

    /** What the machine refuses ends the fault, and not the run. */
    private static void orVoid(Open open, long nowMillis, Runnable action) {
        try {
            action.run();
        } catch (Tool.Refusal | UncheckedIOException cannot) {
            open.why = String.valueOf(cannot.getMessage());
            end(open, nowMillis);
        }
    }

    /** A fault in force that cannot be healed ends the run: what it left behind is no fault of the cell. */
    private static void end(Open open, long nowMillis) {
        open.over = true;
        open.untilMillis = nowMillis;
        boolean refused = !open.why.isEmpty();
        if (!refused) {
            open.why = open.fault.whyVoid(nowMillis - open.fromMillis);
        }
        try {
            open.fault.heal();
        } catch (Tool.Refusal | UncheckedIOException cannot) {
            if (!refused) {
                throw cannot;
            }
        }
    }

    /** Returns whether a fault is in force that has not bitten yet and may still. */
    boolean awaitsBite(long nowMillis) {
        return opened.stream().anyMatch(open -> open.awaitsBite(nowMillis));
    }

    /** Ends every fault now, and begins no other. */
    void endAll(long nowMillis) {
        waiting.clear();
        for (Open open : opened) {
            if (!open.over) {
                end(open, nowMillis);
            }
        }
    }

    /** Until the operator has done what the faults left to do, or for that time. */
    void awaitHealed(Duration most) {
        long giveUpNanos = System.nanoTime() + most.toNanos();
        while (System.nanoTime() < giveUpNanos && !opened.stream().allMatch(open -> open.fault.isHealed())) {
            ProcessCell.pause(100);
        }
    }

    List<FaultRun> runs() {
        return opened.stream()
                .map(open -> new FaultRun(
                        open.planned.kind(),
                        open.fault.on(),
                        open.fromMillis,
                        open.untilMillis,
                        open.why().isEmpty(),
                        open.why()))
                .toList();
    }
}
