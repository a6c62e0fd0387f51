package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduler.batch.apollo.StableMatching.Match;
import dev.cella.scheduler.batch.apollo.StableMatching.Request;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * Sends the tasks of one group to the queues of machines: in batches, each task to the machine on which it should complete
 * first, and at most one to a machine in each batch. Belongs to one plan and its thread.
 */
final class GroupSending {
    private static final StableMatching MATCHING = new StableMatching(10);

    /** "In practice, a scheduling batch contains less than 1,000 tasks" (5.5). */
    private static final int BATCH_MAX = 1_000;

    /** More tasks than these wait for the job's next turn, which comes at once. */
    private static final int TASKS_MAX = 10_000;

    /**
     * Where tasks of the group have failed too often, every second one is expected to fail again, and to cost three runs. The
     * same is expected of a copy on the machine where its task is slow.
     */
    private static final double SUCCESS_WHERE_AVOIDED = 0.5;

    private static final double FAILURE_PENALTY = 3;

    /** The largest random part of an estimate: planners that know the same do not all choose the same machine. */
    private static final double JITTER_SECONDS = 0.1;

    /** A machine, and how long a task should wait there. */
    private record Destination(int machine, double waitSeconds) {}

    private final JobWork work;
    private final PendingGroup group;
    private final PlanningView cell;
    private final MachineForecasts forecasts;
    private final Racks racks;
    private final ApolloOptions options;
    private final Load load;
    private final SplittableRandom random;

    GroupSending(
            JobWork work,
            PendingGroup group,
            PlanningView cell,
            MachineForecasts forecasts,
            Racks racks,
            ApolloOptions options,
            Load load,
            SplittableRandom random) {
        this.work = work;
        this.group = group;
        this.cell = cell;
        this.forecasts = forecasts;
        this.racks = racks;
        this.options = options;
        this.load = load;
        this.random = random;
    }

    /** Sends what it can, at most that many tasks. Returns what was sent, in the order of the tasks. */
    List<SentTask> send(int tasksMax, CellTime now) {
        int[] tasks = group.ahead(Math.min(tasksMax, TASKS_MAX));
        return tasks.length == 0 ? List.of() : send(tasks, lightMachines(tasks.length), now);
    }

    private LightMachines lightMachines(int tasks) {
        return new LightMachines(
                cell.slots().toArray(), Math.min(tasks, BATCH_MAX), this::takesRow, this::isLight, random);
    }

    private List<SentTask> send(int[] tasks, LightMachines light, CellTime now) {
        List<SentTask> sent = new ArrayList<>();
        if (light.count() > 0) {
            Destination[] destinations = match(tasks, light);
            for (int place = 0; place < tasks.length; place++) {
                TaskId task = new TaskId(work.id(), group.place(), tasks[place]);
                Destination to = destinations[place];
                sent.add(new SentTask(work.key(), task, attempt(task), to.machine(), load, to.waitSeconds(), now));
                group.queueNext(List.of(to.machine()));
            }
        }
        return sent;
    }

    private int attempt(TaskId task) {
        return cell.view().task(task).orElseThrow().attempt();
    }

    private boolean takesRow(int machine) {
        return group.mayWaitOn(machine) && forecasts.takesRow(machine);
    }

    private boolean isLight(int machine) {
        return cell.fits(machine, group.shape()) && forecasts.isQueueEmpty(machine);
    }

    /** A task without a machine is matched again with the next batch. */
    private Destination[] match(int[] tasks, LightMachines light) {
        Destination[] destinations = new Destination[tasks.length];
        Deque<Integer> open = new ArrayDeque<>();
        for (int place = 0; place < tasks.length; place++) {
            open.add(place);
        }
        while (!open.isEmpty()) {
            List<Integer> batch = new ArrayList<>();
            int size = Math.min(BATCH_MAX, light.count());
            while (!open.isEmpty() && batch.size() < size) {
                batch.add(open.remove());
            }
            for (Match match : MATCHING.match(requests(batch, tasks, light))) {
                double wait = forecasts.waitSeconds(match.machine(), load);
                forecasts.queue(match.machine(), load);
                destinations[batch.get(match.task())] = new Destination(match.machine(), wait);
            }
            for (int place = batch.size() - 1; place >= 0; place--) {
                if (destinations[batch.get(place)] == null) {
                    open.addFirst(batch.get(place));
                }
            }
            light.retain(machine -> forecasts.isQueueEmpty(machine) || forecasts.waitSeconds(machine, load) == 0);
        }
        return destinations;
    }

    private List<Request> requests(List<Integer> batch, int[] tasks, LightMachines light) {
        return batch.stream()
                .map(place -> request(input(tasks[place]), group.machineBeside(tasks[place]), light))
                .toList();
    }

    private InputPlaces input(int task) {
        return group.inputs().isEmpty()
                ? InputPlaces.NONE
                : InputPlaces.of(group.inputsOf(task), cell, racks, options.inputMegabytes());
    }

    /** @param beside the machine of the task that this one copies */
    private Request request(InputPlaces input, OptionalInt beside, LightMachines light) {
        int[] candidates = Arrays.stream(CandidateMachines.PAPER.of(
                        input.copies(), rack -> input.inRack(rack, racks), light.draws(random)))
                .filter(light::contains)
                .toArray();
        double[] completion = Arrays.stream(candidates)
                .mapToDouble(machine -> completionSeconds(machine, input, beside))
                .toArray();
        return new Request(candidates, completion);
    }

    /** No file has to be fetched before a task starts, as far as a scheduler knows. */
    private double completionSeconds(int machine, InputPlaces input, OptionalInt beside) {
        double run = load.seconds() + input.extraSeconds(machine, racks, ReadSpeeds.FIGURE_4);
        boolean isSlow = beside.isPresent() && beside.getAsInt() == machine;
        double success = isSlow || group.avoids(machine) ? SUCCESS_WHERE_AVOIDED : 1;
        double jitter = JITTER_SECONDS * random.nextDouble();
        return new CompletionEstimate(0, forecasts.waitSeconds(machine, load), run).seconds(success, FAILURE_PENALTY)
                + jitter;
    }
}
