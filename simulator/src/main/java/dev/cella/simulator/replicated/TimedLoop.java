package dev.cella.simulator.replicated;

import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import java.util.function.Supplier;

/**
 * A live loop in virtual time. Its driver performs the actions. Before any other event, the loop gets the changes of the cell;
 * its timer is an event of the heap.
 *
 * <p>Owned by the thread that runs the simulation.
 */
public final class TimedLoop<M> {
    private final EventHeap heap;
    private final SchedulerLoop<M> loop;
    private final CellView view;
    private final Supplier<CellTime> time;
    private final Action.Driver<M> driver;
    private long versionSeen;
    private CellTime timer = CellTime.ZERO;

    public TimedLoop(
            EventHeap heap, SchedulerLoop<M> loop, CellView view, Supplier<CellTime> time, Action.Driver<M> driver) {
        this.heap = heap;
        this.loop = loop;
        this.view = view;
        this.time = time;
        this.driver = driver;
    }

    /** Shows the loop the cell for the first time. */
    public void begin() {
        on(new Event.ViewReplaced<>(view));
    }

    public TouchedRows touchedRows() {
        return loop.touchedRows();
    }

    /** The common cell state has advanced. */
    public void advance() {
        long version = view.version().number();
        if (version > versionSeen) {
            versionSeen = version;
            on(new Event.ViewAdvanced<>());
        }
    }

    public void deliver(Event<M> event) {
        advance();
        on(event);
    }

    private void on(Event<M> event) {
        for (Action<M> action : loop.on(event, time.get())) {
            action.perform(driver);
        }
    }

    /** A later timer replaces this one. */
    public void setTimer(CellTime at) {
        timer = at;
        long dueNanos = Math.max(heap.nowNanos(), at.millis() * VirtualTime.NANOS_PER_MILLI);
        heap.at(dueNanos, () -> {
            if (timer.equals(at)) {
                deliver(new Event.TimerFired<>());
            }
        });
    }
}
