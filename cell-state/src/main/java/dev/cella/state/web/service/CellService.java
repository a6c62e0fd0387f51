package dev.cella.state.web.service;

import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.CellServiceGrpc;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.GetCellRequest;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.CellRow;
import dev.cella.transactions.cell.CellView;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The cell as a whole. */
final class CellService {
    private final Replica replica;
    private final Reads reads;
    private final Supplier<String> address;

    CellService(Replica replica, Reads reads, Supplier<String> address) {
        this.replica = replica;
        this.reads = reads;
        this.address = address;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(new UnaryMethod<>(CellServiceGrpc.getGetCellMethod(), this::get));
    }

    private CompletableFuture<Answer<CellSummary>> get(GetCellRequest request) {
        return reads.read(
                        Freshness.of(request),
                        view -> Shown.of(view, summary(view), view.version().number()))
                .thenApply(shown -> Answer.ok(shown.value()));
    }

    /** There is one replica yet: this one, called like the cell. */
    private CellSummary summary(CellView view) {
        CellSummary.Builder summary = CellRow.of(view);
        String name = summary.getName();
        if (replica.leads()) {
            summary.setLeader(name);
        }
        return summary.addReplicas(CellReplica.newBuilder()
                        .setName(name)
                        .setAddress(address.get())
                        .setLeader(replica.leads()))
                .build();
    }
}
