package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduling.Observations;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.waits.QueueForecast;
import dev.cella.transactions.waits.QueueForecast.Load;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The waits at the machines that one plan looks at. A machine that would start a task now has none. Elsewhere the machine's own
 * matrix counts, with what this scheduler sent there since. A machine without a matrix is played forward from what the view
 * shows: the tasks that run, the rows that wait, and the rows that were sent and are not shown yet. Belongs to one plan and its
 * thread.
 */
final class MachineForecasts {
    /** Agents report with each renewal of their lease, every few seconds. */
    private static final MatrixConfidence CONFIDENCE = new MatrixConfidence(10);

    /** A row that was sent, and when. */
    private record Sent(Load load, double atSeconds) {}

    private final PlanningView cell;
    private final EstimatedRuns runs;
    private final Observations observations;
    private final RecentRows recent;
    private final CellTime now;
    private final double nowSeconds;
    private final BitSet withRows;
    private final Map<Integer, List<Load>> unseen = new HashMap<>();
    private final Map<Integer, List<Sent>> sentTo = new HashMap<>();
    private final Map<Integer, Optional<WaitMatrix>> reports = new HashMap<>();
    private final Map<Integer, QueueForecast> forecasts = new HashMap<>();
    private final Map<Integer, Map<TaskId, Double>> waits = new HashMap<>();

    MachineForecasts(PlanningView cell, EstimatedRuns runs, PlanContext<ApolloMemory> context) {
        this.cell = cell;
        this.runs = runs;
        this.observations = context.observations();
        this.recent = context.memory().recentIn(cell.place());
        this.withRows = recent.machines();
        this.now = context.now();
        this.nowSeconds = seconds(now);
    }

    private static double seconds(CellTime time) {
        return time.millis() / 1_000.0;
    }

    /** The rows that were sent to the machine last, before this plan and in it. */
    private List<Sent> sentTo(int machine) {
        return withRows.get(machine) ? sentTo.computeIfAbsent(machine, this::recentlySent) : List.of();
    }

    private List<Sent> recentlySent(int machine) {
        List<Sent> sent = new ArrayList<>();
        recentAt(machine).forEach(row -> sent.add(new Sent(row.load(), seconds(row.at()))));
        return sent;
    }

    /** Those of them that the view does not show. */
    private List<Load> unseen(int machine) {
        return withRows.get(machine) ? unseen.computeIfAbsent(machine, this::recentlyUnseen) : List.of();
    }

    private List<Load> recentlyUnseen(int machine) {
        List<Load> loads = new ArrayList<>();
        recentAt(machine).filter(sent -> !isShown(sent)).forEach(row -> loads.add(row.load()));
        return loads;
    }

    private Stream<SentTask> recentAt(int machine) {
        return recent.at(machine).stream().filter(sent -> sent.isRecent(cell.view(), now));
    }

    private boolean isShown(SentTask sent) {
        return sent.group(cell.view())
                .filter(group -> sent.isIn(cell.view(), group))
                .isPresent();
    }

    /** Returns whether no task waits on the machine. */
    boolean isQueueEmpty(int machine) {
        return cell.view().queuedOn(machine) == 0 && unseen(machine).isEmpty();
    }

    /** Returns whether the machine's queue has room for one more row. Most queues are far from full, whatever of the rows counts. */
    boolean takesRow(int machine) {
        int shown = cell.view().queuedOn(machine);
        boolean isKnown = !withRows.get(machine) || unseen.containsKey(machine);
        int most = isKnown ? unseen(machine).size() : recent.at(machine).size();
        return shown + most < QueueRow.ROWS_A_MACHINE_MAX
                || shown + unseen(machine).size() < QueueRow.ROWS_A_MACHINE_MAX;
    }

    /** How long one more task would wait on the machine; at most {@link EstimatedRuns#FOREVER_SECONDS}. */
    double waitSeconds(int machine, Load load) {
        double played = forecast(machine).waitSeconds(load.cpuMilli(), load.memoryMib());
        double wait = played == 0
                ? 0
                : report(machine)
                        .map(matrix -> reportedSeconds(matrix, machine, load))
                        .orElse(played);
        return Math.min(wait, EstimatedRuns.FOREVER_SECONDS);
    }

    private Optional<WaitMatrix> report(int machine) {
        return reports.computeIfAbsent(
                machine, each -> observations.waits(cell.place(), cell.view().machineName(each)));
    }

    private double reportedSeconds(WaitMatrix matrix, int machine, Load load) {
        double since = sentTo(machine).stream()
                .filter(sent -> sent.atSeconds() >= matrix.madeAtSeconds())
                .mapToDouble(sent -> sent.load().seconds() * part(sent.load(), machine))
                .sum();
        return CONFIDENCE.waitSeconds(matrix, load.cpuMilli(), load.memoryMib(), nowSeconds) + since;
    }

    /** The part of the machine that the task takes while it runs. */
    private double part(Load load, int machine) {
        return Math.max(
                load.cpuMilli() / (double) cell.capacity(machine, "cpuMilli"),
                load.memoryMib() / (double) cell.capacity(machine, "memoryMib"));
    }

    /** How long the task of the row will still wait on its machine. */
    double waitSeconds(QueueRow row) {
        double wait = waits.computeIfAbsent(row.slot(), this::waitsOfRows).getOrDefault(row.task(), 0.0);
        return Math.min(wait, EstimatedRuns.FOREVER_SECONDS);
    }

    private Map<TaskId, Double> waitsOfRows(int machine) {
        QueueForecast forecast = forecast(machine);
        Map<TaskId, Double> ofRows = new HashMap<>();
        int place = 0;
        for (QueueRow row : cell.view().queueOn(machine)) {
            ofRows.put(row.task(), forecast.waitSeconds(place++));
        }
        return ofRows;
    }

    /** This plan sends one more task to the machine. */
    void queue(int machine, Load load) {
        forecast(machine).queue(load);
        withRows.set(machine);
        unseen(machine).add(load);
        sentTo(machine).add(new Sent(load, nowSeconds));
    }

    private QueueForecast forecast(int machine) {
        return forecasts.computeIfAbsent(machine, this::play);
    }

    /**
     * What others hold on the machine or have claimed is neither free nor a task, and does not come back. Spare work ends when
     * a row needs its room, which counts as free.
     */
    private QueueForecast play(int machine) {
        List<Load> running = new ArrayList<>();
        cell.view().forEachTaskOn(machine, task -> {
            if (!task.spare()) {
                running.add(runs.running(task));
            }
        });
        List<Load> queued = new ArrayList<>();
        cell.view().queueOn(machine).forEach(row -> queued.add(runs.queued(row)));
        queued.addAll(unseen(machine));
        long cpuMilli = cell.free(machine, "cpuMilli")
                + running.stream().mapToLong(Load::cpuMilli).sum();
        long memoryMib = cell.free(machine, "memoryMib")
                + running.stream().mapToLong(Load::memoryMib).sum();
        return new QueueForecast(cpuMilli, memoryMib, running, queued);
    }
}
