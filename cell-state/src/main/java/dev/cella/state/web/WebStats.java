package dev.cella.state.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.prometheus.PrometheusExpositionService;
import dev.cella.state.core.Replica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Counts answers, and measures the cell when {@code /metrics} is read. */
final class WebStats implements DecoratingHttpServiceFunction {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Replica replica;

    WebStats(Replica replica) {
        this.replica = replica;
        gauge(Metric.CELL_VERSION, view -> view.version().number()).register(registry);
        gauge(Metric.CELL_LEADS, view -> replica.leads() ? 1 : 0).register(registry);
        gauge(Metric.SESSIONS, view -> view.sessions().size()).register(registry);
        for (TaskState state : TaskState.values()) {
            gauge(Metric.TASKS, view -> view.taskCounts().of(state))
                    .tag("state", word(state))
                    .register(registry);
        }
        for (MachineStatus status : MachineStatus.values()) {
            gauge(Metric.MACHINES, view -> machines(view, status))
                    .tag("status", word(status))
                    .register(registry);
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private Gauge.Builder<Replica> gauge(Metric metric, ToDoubleFunction<CellView> measured) {
        return Gauge.builder(metric.id(), replica, measuredOn -> measuredOn.read(measured::applyAsDouble))
                .description(metric.sentence());
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
        return PrometheusExpositionService.of(registry.getPrometheusRegistry());
    }
}
