package dev.cella.state.web;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.prometheus.PrometheusExpositionService;
import dev.cella.client.access.Tls;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaStats;
import dev.cella.state.core.StartTimes;
import dev.cella.state.web.service.Disagreements;
import dev.cella.state.web.service.SchedulerFigures;
import dev.cella.state.web.service.UsageFacts;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Counts answers, and measures the cell when {@code /metrics} is read. */
final class WebStats implements DecoratingHttpServiceFunction {
    private static final double MILLI = 1_000;

    /** The largest exact value of a metric, because a metric is a double. */
    private static final long EXACT_IN_A_DOUBLE = (1L << 48) - 1;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Replica replica;
    private final SchedulerMetrics schedulers;

    WebStats(
            Replica replica,
            SchedulerFigures figures,
            UsageFacts usage,
            Disagreements disagreements,
            LongAdder tasksVisited,
            long specificationBytesMax,
            Security security) {
        this.replica = replica;
        this.schedulers = new SchedulerMetrics(registry, replica.conflicts(), figures);
        shown(Metric.CELL_VERSION, view -> view.version().number()).register(registry);
        gauge(Metric.CELL_LEADS, measured -> measured.leads() ? 1 : 0).register(registry);
        shown(Metric.SESSIONS, view -> view.sessions().size()).register(registry);
        tables();
        decisions();
        log();
        store();
        feed();
        lanes();
        shown(Metric.SPECIFICATIONS, CellView::specificationBytes).register(registry);
        gauge(Metric.SPECIFICATIONS_MAX, measured -> specificationBytesMax).register(registry);
        gauge(Metric.CERTIFICATE_EXPIRES, measured -> certificateExpiresSeconds(security))
                .register(registry);
        gauge(Metric.HEAP_LIVE, measured -> heapLiveBytes()).register(registry);
        gauge(Metric.USED_CPU, measured -> usage.total().getUsed().getCpuMilli() / MILLI)
                .register(registry);
        gauge(Metric.ASKED_CPU, measured -> usage.total().getCpuMilliAsked() / MILLI)
                .register(registry);
        gauge(Metric.USED_MEMORY, measured -> usage.total().getUsed().getMemoryMib())
                .register(registry);
        gauge(Metric.ASKED_MEMORY, measured -> usage.total().getMemoryMibAsked())
                .register(registry);
        gauge(Metric.USED_DISK, measured -> usage.total().getUsed().getDiskMib())
                .register(registry);
        gauge(Metric.OUTPUT_RATE, measured -> usage.total().getUsed().getOutputBytesPerSecond())
                .register(registry);
        FunctionCounter.builder(Metric.DISAGREEMENTS.id(), disagreements, Disagreements::count)
                .description(Metric.DISAGREEMENTS.sentence())
                .register(registry);
        FunctionCounter.builder(Metric.TASKS_VISITED.id(), tasksVisited, LongAdder::sum)
                .description(Metric.TASKS_VISITED.sentence())
                .register(registry);
        for (TaskState state : TaskState.values()) {
            shown(Metric.TASKS, view -> view.taskCounts().of(state))
                    .tag("state", word(state))
                    .register(registry);
        }
        shown(Metric.SPARE_TASKS, CellView::spareTasks).register(registry);
        for (MachineStatus status : MachineStatus.values()) {
            shown(Metric.MACHINES, view -> machines(view, status))
                    .tag("status", word(status))
                    .register(registry);
        }
    }

    private void tables() {
        Map<String, ToLongFunction<CellDigests>> tables = new TreeMap<>();
        tables.put("machines", CellDigests::machines);
        tables.put("jobs", CellDigests::jobs);
        tables.put("tasks", CellDigests::tasks);
        tables.put("sessions", CellDigests::sessions);
        tables.put("policies", CellDigests::policies);
        tables.put("holds", CellDigests::holds);
        tables.put("queues", CellDigests::queues);
        tables.forEach((table, digest) -> shown(
                        Metric.DIGEST, view -> digest.applyAsLong(view.digests()) & EXACT_IN_A_DOUBLE)
                .tag("table", table)
                .register(registry));
    }

    private void decisions() {
        counter(Metric.ITEMS_ACCEPTED, ReplicaStats::itemsAccepted).register(registry);
        for (Verdict verdict : Verdict.values()) {
            counter(Metric.TRANSACTIONS, stats -> stats.transactions(verdict))
                    .tag("verdict", word(verdict))
                    .register(registry);
        }
        for (Reason reason : Reason.values()) {
            counter(Metric.CONFLICTS, stats -> stats.conflicts(reason))
                    .tag("reason", word(reason))
                    .register(registry);
            counter(Metric.REFUSALS, stats -> stats.refusals(reason))
                    .tag("reason", word(reason))
                    .register(registry);
        }
    }

    private void log() {
        counter(Metric.COMMANDS, ReplicaStats::commands).register(registry);
        counter(Metric.LOG_ENTRIES, ReplicaStats::entries).register(registry);
        counter(Metric.LOG_BYTES, ReplicaStats::logBytes).register(registry);
        counter(Metric.LOG_ROUNDS, ReplicaStats::rounds).register(registry);
        counter(Metric.LOG_ROUND_TIME, stats -> seconds(stats.roundNanos())).register(registry);
        FunctionCounter.builder(
                        Metric.LOG_FSYNCS.id(),
                        replica,
                        measured -> measured.logSyncs().count())
                .description(Metric.LOG_FSYNCS.sentence())
                .register(registry);
        gauge(Metric.LOG_FSYNC_TIME, measured -> measured.logSyncs().p50Seconds())
                .tag("quantile", "0.5")
                .register(registry);
        gauge(Metric.LOG_FSYNC_TIME, measured -> measured.logSyncs().p99Seconds())
                .tag("quantile", "0.99")
                .register(registry);
        counter(Metric.APPLY_TIME, stats -> seconds(stats.applyNanos())).register(registry);
        gauge(Metric.LOG_BEHIND, Replica::entriesBehind).register(registry);
    }

    private void store() {
        counter(Metric.CHECKPOINTS, ReplicaStats::checkpoints).register(registry);
        counter(Metric.CHECKPOINT_TIME, stats -> seconds(stats.checkpointNanos()))
                .register(registry);
        counter(Metric.CHECKPOINT_BYTES, ReplicaStats::checkpointHotBytes).register(registry);
        counter(Metric.CHECKPOINT_STALL, stats -> seconds(stats.sealNanos())).register(registry);
        gauge(Metric.START_TIME, WebStats::processSeconds)
                .tag("part", "process")
                .register(registry);
        for (StartTimes.Part part : StartTimes.Part.values()) {
            gauge(Metric.START_TIME, measured -> seconds(measured.startTimes().nanos(part)))
                    .tag("part", word(part))
                    .register(registry);
        }
    }

    private void feed() {
        gauge(Metric.FEED_READERS, Replica::feedReaders).register(registry);
        gauge(Metric.FEED_LAG, Replica::feedVersionsBehindMax).register(registry);
        gauge(Metric.FEED_KEPT, Replica::feedKeptBytes).register(registry);
        counter(Metric.FEED_RESYNCS, ReplicaStats::resyncs).register(registry);
    }

    private void lanes() {
        for (Lane lane : Lane.values()) {
            gauge(Metric.LANE_WAITING, measured -> measured.waitingBytes(lane))
                    .tag("lane", word(lane))
                    .register(registry);
            counter(Metric.LANE_FULL, stats -> stats.fullLanes(lane))
                    .tag("lane", word(lane))
                    .register(registry);
        }
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    /** From the start of the process to the start of the replica. */
    private static double processSeconds(Replica measured) {
        long processMillis = ManagementFactory.getRuntimeMXBean().getStartTime();
        return (measured.startTimes().beginWallMillis() - processMillis) / 1e3;
    }

    private static double certificateExpiresSeconds(Security security) {
        return security.tls()
                .flatMap(Tls::expiresAt)
                .map(end -> (double) end.getEpochSecond())
                .orElse(Double.NaN);
    }

    private static double heapLiveBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** A gauge computed from one version of the cell. */
    private Gauge.Builder<Replica> shown(Metric metric, ToDoubleFunction<CellView> measured) {
        return gauge(metric, measuredOn -> measuredOn.read(measured::applyAsDouble));
    }

    private Gauge.Builder<Replica> gauge(Metric metric, ToDoubleFunction<Replica> measured) {
        return Gauge.builder(metric.id(), replica, measured).description(metric.sentence());
    }

    private FunctionCounter.Builder<ReplicaStats> counter(Metric metric, ToDoubleFunction<ReplicaStats> counted) {
        return FunctionCounter.builder(metric.id(), replica.stats(), counted).description(metric.sentence());
    }

    private static long machines(CellView view, MachineStatus status) {
        return IntStream.range(0, view.machineSlots())
                .filter(slot -> view.machineExists(slot) && view.status(slot) == status)
                .count();
    }

    @Override
    public HttpResponse serve(HttpService delegate, ServiceRequestContext context, HttpRequest http) throws Exception {
        var unused = context.log()
                .whenAvailable(RequestLogProperty.RESPONSE_HEADERS)
                .thenAccept(log -> count(log.responseHeaders().status().codeAsText()));
        return delegate.serve(context, http);
    }

    private void count(String status) {
        Counter.builder(Metric.ANSWERS.id())
                .description(Metric.ANSWERS.sentence())
                .tag("status", status)
                .register(registry)
                .increment();
    }

    HttpService page() {
        HttpService shown = PrometheusExpositionService.of(registry.getPrometheusRegistry());
        return (context, request) -> {
            schedulers.refresh();
            return shown.serve(context, asGet(request));
        };
    }

    /** The exposition answers only GET. The server itself drops the body of an answer to HEAD. */
    private static HttpRequest asGet(HttpRequest request) {
        return request.mapHeaders(
                headers -> headers.toBuilder().method(HttpMethod.GET).build());
    }
}
