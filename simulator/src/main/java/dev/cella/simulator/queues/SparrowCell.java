package dev.cella.simulator.queues;

import dev.cella.scheduler.batch.sparrow.BatchSampling;
import dev.cella.scheduler.batch.sparrow.LateBinding;
import dev.cella.simulator.engine.DecentralSetUp.Binding;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.RunMeter;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunningJob;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/**
 * Machines with queues, and a scheduler for each job: Sparrow's schedulers share nothing, so their number says nothing. A
 * probe, a machine's question, its answer and the report of an end take one hop each.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class SparrowCell {
    /** A place in a queue: for a job that gives a task when asked, or for a task that is bound already. */
    private record Reservation(RunningJob job, LateBinding tasks, int boundTask, long sinceNanos) {
        boolean isBound() {
            return boundTask >= 0;
        }
    }

    private static final int UNBOUND = -1;
    private static final String PROBES = "probes";
    private static final String IN_VAIN = "probesInVain";

    private final RunParameters parameters;
    private final EventHeap heap;
    private final RunMeter meter;
    private final QueueMachines<Reservation> machines;

    /** The machines that can be probed: on the others no task will ever have room. */
    private int[] usable = {};

    /** Draws places of {@link #usable}; absent if there are none. */
    private Optional<BatchSampling> sampling = Optional.empty();

    private final Random random;
    private final long hop;

    SparrowCell(RunParameters parameters, EventHeap heap) {
        this.parameters = parameters;
        this.heap = heap;
        this.meter = new RunMeter("sparrow", 1, parameters, heap);
        this.machines = new QueueMachines<>(parameters.geometry());
        this.random = RandomStream.PLACEMENT.of(parameters.seed());
        this.hop = parameters.decentral().hopNanos();
    }

    /** Called before the first job arrives, also without standing jobs. */
    void prefill(List<StandingJob> standing) {
        machines.prefill(standing, parameters, heap, meter, this::advance);
        usable = machines.usable();
        double probes = parameters.decentral().sparrow().probes();
        sampling = usable.length == 0 ? Optional.empty() : Optional.of(new BatchSampling(usable.length, probes));
    }

    void submit(SimulatedJob job) {
        RunningJob running = meter.submitted(job);
        long decisionNanos = parameters.setUp(job.workload()).decisionTime().nanos(job.tasks());
        meter.decides(job, 0, decisionNanos);
        after(decisionNanos, () -> probe(running));
    }

    private void after(long nanos, EventHeap.Event event) {
        heap.at(heap.nowNanos() + nanos, event);
    }

    private void probe(RunningJob job) {
        int[] probed = sampling.stream()
                .flatMapToInt(each -> Arrays.stream(each.probes(job.job().tasks(), random)))
                .map(place -> usable[place])
                .toArray();
        meter.count(PROBES, probed.length);
        if (parameters.decentral().sparrow().binding() == Binding.EARLY) {
            after(hop, () -> bind(job, probed));
            return;
        }
        LateBinding tasks = new LateBinding(job.job().tasks());
        after(hop, () -> {
            for (int machine : probed) {
                enqueue(machine, new Reservation(job, tasks, UNBOUND, heap.nowNanos()));
            }
        });
    }

    /** The machines answer how long their queues are, less their room, and the tasks are sent to the shortest. */
    private void bind(RunningJob job, int[] probed) {
        int[] shortest = Arrays.stream(probed)
                .boxed()
                .sorted(Comparator.comparingLong(
                        machine -> machines.queue(machine).size() - machines.room(machine)))
                .limit(job.job().tasks())
                .mapToInt(Integer::intValue)
                .toArray();
        LateBinding none = new LateBinding(0);
        after(2 * hop, () -> {
            for (int task = 0; task < shortest.length; task++) {
                enqueue(shortest[task], new Reservation(job, none, task, heap.nowNanos()));
            }
        });
    }

    // ---- a machine

    private void enqueue(int machine, Reservation reservation) {
        machines.queue(machine).add(reservation);
        advance(machine);
    }

    private void advance(int machine) {
        while (machines.hasRoom(machine) && !machines.queue(machine).isEmpty()) {
            Reservation head = machines.queue(machine).remove();
            machines.take(machine);
            if (head.isBound()) {
                begin(machine, head, head.boundTask());
            } else {
                after(hop, () -> ask(machine, head));
            }
        }
    }

    private void ask(int machine, Reservation reservation) {
        OptionalInt task = reservation.tasks().ask();
        after(hop, () -> {
            if (task.isPresent()) {
                begin(machine, reservation, task.getAsInt());
            } else {
                meter.count(IN_VAIN, 1);
                leave(machine);
            }
        });
    }

    private void begin(int machine, Reservation reservation, int task) {
        RunningJob job = reservation.job();
        meter.queued(heap.nowNanos() - reservation.sinceNanos());
        meter.answered(job.job(), 1, 0);
        meter.begin(job);
        after(job.job().times().nanos(task), () -> {
            meter.free();
            leave(machine);
            after(hop, () -> meter.end(job));
        });
    }

    private void leave(int machine) {
        machines.giveBack(machine);
        advance(machine);
    }

    RunResult result() {
        return meter.result();
    }
}
