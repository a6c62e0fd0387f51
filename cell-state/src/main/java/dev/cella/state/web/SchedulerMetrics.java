package dev.cella.state.web;

import dev.cella.state.conflicts.ConflictLog;
import dev.cella.state.conflicts.Totals;
import dev.cella.state.web.service.SchedulerFigures;
import dev.cella.state.web.service.SchedulerFigures.Figures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The metrics of each scheduler: the cell's counts of its transactions, and the reports of its instances. The set of
 * schedulers is computed whenever the page is read. It is bounded like the conflict log's.
 */
final class SchedulerMetrics {
    private final MeterRegistry registry;
    private final ConflictLog conflicts;
    private final SchedulerFigures figures;
    private final Map<Metric, MultiGauge> gauges = new EnumMap<>(Metric.class);

    SchedulerMetrics(MeterRegistry registry, ConflictLog conflicts, SchedulerFigures figures) {
        this.registry = registry;
        this.conflicts = conflicts;
        this.figures = figures;
        Gauge.builder(Metric.LEDGER.id(), conflicts, ConflictLog::ledgerLength)
                .description(Metric.LEDGER.sentence())
                .register(registry);
    }

    /** Updates the set of schedulers. Call this before the page is read. */
    synchronized void refresh() {
        conflicts.totalsByScheduler().keySet().forEach(this::count);
        List<Figures> all = figures.all();
        measure(Metric.SCHEDULER_INSTANCES, all, each -> OptionalDouble.of(each.instances()));
        measure(Metric.SCHEDULER_PAUSED, all, each -> OptionalDouble.of(each.paused() ? 1 : 0));
        measure(Metric.SCHEDULER_BUSY, all, Figures::busyFraction);
        measure(Metric.SCHEDULER_WASTED, all, Figures::wastedBusyFraction);
        measure(Metric.SCHEDULER_QUEUE, all, each -> ifSaid(each, each.queueLength()));
        measure(Metric.SCHEDULER_PLANS_FAILED, all, each -> ifSaid(each, each.plansFailed()));
        measure(Metric.SCHEDULER_LAG, all, each -> ifSaid(each, each.lagVersions()));
    }

    private static OptionalDouble ifSaid(Figures of, long value) {
        return of.said().isEmpty() ? OptionalDouble.empty() : OptionalDouble.of((double) value);
    }

    private void measure(Metric metric, List<Figures> all, Function<Figures, OptionalDouble> measured) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (Figures each : all) {
            measured.apply(each)
                    .ifPresent(value -> rows.add(MultiGauge.Row.of(Tags.of("scheduler", each.scheduler()), value)));
        }
        gauges.computeIfAbsent(metric, this::gauge).register(rows, true);
    }

    private MultiGauge gauge(Metric metric) {
        return MultiGauge.builder(metric.id()).description(metric.sentence()).register(registry);
    }

    /** Registering a metric twice changes nothing. */
    private void count(String scheduler) {
        count(Metric.SCHEDULER_TRANSACTIONS, scheduler, "successful", Totals::successful);
        count(Metric.SCHEDULER_TRANSACTIONS, scheduler, "conflicted", Totals::conflicted);
        count(Metric.SCHEDULER_TRANSACTIONS, scheduler, "refused", Totals::refused);
        count(Metric.SCHEDULER_CLAIMS, scheduler, "accepted", Totals::claimsAccepted);
        count(Metric.SCHEDULER_CLAIMS, scheduler, "conflicted", Totals::claimsConflicted);
        count(Metric.SCHEDULER_CLAIMS, scheduler, "refused", Totals::claimsRefused);
    }

    private void count(Metric metric, String scheduler, String result, ToLongFunction<Totals> counted) {
        FunctionCounter.builder(metric.id(), conflicts, log -> counted.applyAsLong(log.totals(scheduler)))
                .description(metric.sentence())
                .tag("scheduler", scheduler)
                .tag("result", result)
                .register(registry);
    }
}
