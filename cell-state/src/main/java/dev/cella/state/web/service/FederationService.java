package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.CellReport;
import dev.cella.client.proto.FederatedCell;
import dev.cella.client.proto.FederatedCellState;
import dev.cella.client.proto.FederatedClaims;
import dev.cella.client.proto.Federation;
import dev.cella.client.proto.FederationServiceGrpc;
import dev.cella.client.proto.GetFederationRequest;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The cells that schedulers plan on together with this one. Two sources must agree for a cell to work: the machines of this
 * cell that stand for another one, and the reports of schedulers that work on several cells. The state of a cell says which
 * is missing.
 */
final class FederationService {
    /** The attributes of a machine that stands for a cell. Its agent sets them. */
    static final String CELL = "cell";

    static final String INCARNATION = "cell.incarnation";

    private static final double MILLIS_PER_SECOND = 1e3;

    private final Reads reads;
    private final SchedulerReports reports;

    FederationService(Reads reads, SchedulerReports reports) {
        this.reads = reads;
        this.reports = reports;
    }

    /** A machine of this cell that stands for a cell. */
    private record Gateway(String machine, String cell, MachineStatus status, int tasks) {}

    /** What the cell itself knows. */
    private record Known(
            String name, String incarnation, List<SessionId> sessions, Map<String, Gateway> gateways, long version) {}

    /** A report, and the time since the scheduler made it. */
    private record Said(CellReport report, Duration ago) {}

    List<UnaryMethod<?, ?>> methods() {
        return List.of(new UnaryMethod<>(FederationServiceGrpc.getGetFederationMethod(), this::get));
    }

    private CompletableFuture<Answer<Federation>> get(GetFederationRequest request) {
        return reads.read(
                        Freshness.of(request),
                        view -> Shown.of(view, known(view), view.version().number()))
                .thenApply(shown -> Answer.ok(federation(shown.value())));
    }

    private static Known known(CellView view) {
        return new Known(
                view.name().map(CellName::text).orElse(""),
                view.incarnation().toString(),
                view.sessions().stream().map(SessionRow::id).toList(),
                gateways(view),
                view.version().number());
    }

    /** By the incarnation for which each stands. */
    private static Map<String, Gateway> gateways(CellView view) {
        Map<String, Gateway> gateways = new HashMap<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            String incarnation =
                    view.machineExists(slot) ? view.attributes(slot).get(INCARNATION) : null;
            if (incarnation != null) {
                String name = view.attributes(slot).getOrDefault(CELL, "");
                Gateway gateway = new Gateway(view.machineName(slot), name, view.status(slot), view.tasksOn(slot));
                gateways.merge(incarnation, gateway, FederationService::better);
            }
        }
        return gateways;
    }

    /** A machine that is DOWN may have been replaced by one of another name. */
    private static Gateway better(Gateway one, Gateway other) {
        return one.status() == MachineStatus.DOWN ? other : one;
    }

    /** Runs outside the cell's lock, because reports are not read under it. */
    private Federation federation(Known known) {
        Map<String, List<Said>> said = new LinkedHashMap<>();
        for (SessionId session : known.sessions()) {
            reports.find(session)
                    .ifPresent(found -> found.report()
                            .getCellsList()
                            .forEach(cell -> said.computeIfAbsent(key(cell), first -> new ArrayList<>())
                                    .add(new Said(cell, found.ago()))));
        }
        Set<String> all = new LinkedHashSet<>(said.keySet());
        all.addAll(known.gateways().keySet());
        List<FederatedCell> cells = all.stream()
                .map(each -> cell(known, each, said.getOrDefault(each, List.of())))
                .sorted(Comparator.comparing(
                                (FederatedCell cell) -> cell.getState() != FederatedCellState.FEDERATED_CELL_STATE_HOME)
                        .thenComparing(FederatedCell::getName)
                        .thenComparing(cell -> String.join(",", cell.getAddressesList())))
                .collect(Collectors.toCollection(ArrayList::new));
        if (!cells.isEmpty() && !all.contains(known.incarnation())) {
            cells.add(0, cell(known, known.incarnation(), List.of()));
        }
        return Federation.newBuilder()
                .setVersion(known.version())
                .addAllCells(cells)
                .build();
    }

    /** A cell that no scheduler has seen yet is known by its addresses only. */
    private static String key(CellReport report) {
        return report.hasIncarnation() ? report.getIncarnation() : String.join(",", report.getAddressesList());
    }

    private static FederatedCell cell(Known known, String key, List<Said> said) {
        Optional<Gateway> gateway = Optional.ofNullable(known.gateways().get(key));
        FederatedCell.Builder cell = FederatedCell.newBuilder()
                .setClaims(FederatedClaims.newBuilder()
                        .setAccepted(sum(said, CellReport::getClaimsAccepted))
                        .setInconsistent(sum(said, CellReport::getClaimsConflicted)))
                .setRepartitions(sum(said, CellReport::getRepartitions));
        gateway.ifPresent(found -> cell.setName(found.cell())
                .setIncarnation(key)
                .setMachine(found.machine())
                .setTasksPlaced(found.tasks()));
        said.stream()
                .map(Said::report)
                .max(Comparator.comparingLong(CellReport::getVersion))
                .ifPresent(newest -> show(newest, cell));
        said.stream()
                .filter(each -> each.report().hasHeardAgo())
                .mapToLong(each -> Durations.toMillis(each.report().getHeardAgo())
                        + each.ago().toMillis())
                .max()
                .ifPresent(millis -> cell.setLagSeconds(millis / MILLIS_PER_SECOND));
        if (key.equals(known.incarnation())) {
            cell.setName(known.name()).setIncarnation(key);
        }
        return cell.setState(state(key.equals(known.incarnation()), gateway, said))
                .build();
    }

    private static long sum(List<Said> said, ToLongFunction<CellReport> count) {
        return said.stream().map(Said::report).mapToLong(count).sum();
    }

    private static void show(CellReport newest, FederatedCell.Builder cell) {
        cell.addAllAddresses(newest.getAddressesList());
        if (newest.hasIncarnation()) {
            cell.setName(newest.getName())
                    .setIncarnation(newest.getIncarnation())
                    .setVersion(newest.getVersion())
                    .setMachines(newest.getMachines())
                    .setTasks(newest.getTasks());
        }
    }

    private static FederatedCellState state(boolean isHome, Optional<Gateway> gateway, List<Said> said) {
        if (isHome) {
            return FederatedCellState.FEDERATED_CELL_STATE_HOME;
        }
        boolean isPlanned = said.stream().anyMatch(each -> each.report().getPlanning());
        if (gateway.isEmpty()) {
            return isPlanned
                    ? FederatedCellState.FEDERATED_CELL_STATE_NOT_OFFERED
                    : FederatedCellState.FEDERATED_CELL_STATE_AWAY;
        }
        return switch (gateway.get().status()) {
            case DOWN -> FederatedCellState.FEDERATED_CELL_STATE_DOWN;
            case DRAINING, DRAINED -> FederatedCellState.FEDERATED_CELL_STATE_DRAINING;
            case READY -> ready(isPlanned, said.isEmpty());
        };
    }

    private static FederatedCellState ready(boolean isPlanned, boolean isUnknown) {
        if (isUnknown) {
            return FederatedCellState.FEDERATED_CELL_STATE_NOT_PLANNED;
        }
        return isPlanned ? FederatedCellState.FEDERATED_CELL_STATE_READY : FederatedCellState.FEDERATED_CELL_STATE_AWAY;
    }
}
