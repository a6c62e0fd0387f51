package dev.cella.state.web.service;

import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.CellServiceGrpc;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.GetCellRequest;
import dev.cella.client.proto.UsageTotal;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.CellRow;
import dev.cella.transactions.cell.CellView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The cell as a whole. */
final class CellService {
    private final Replica replica;
    private final Reads reads;
    private final UsageFacts usage;
    private final Supplier<String> address;

    CellService(Replica replica, Reads reads, UsageFacts usage, Supplier<String> address) {
        this.replica = replica;
        this.reads = reads;
        this.usage = usage;
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

    private CellSummary summary(CellView view) {
        CellSummary.Builder summary = CellRow.of(view);
        UsageTotal used = usage.total();
        if (used.getTasks() > 0) {
            summary.setUsage(used);
        }
        return (replica.membership().isAlone() ? addOnly(summary) : addAll(summary)).build();
    }

    /** A lone replica has the name of the cell. */
    private CellSummary.Builder addOnly(CellSummary.Builder summary) {
        Optional<String> leader = Optional.of(summary.getName()).filter(name -> replica.leads());
        leader.ifPresent(summary::setLeader);
        return summary.addReplicas(row(summary.getName(), address.get(), leader));
    }

    private CellSummary.Builder addAll(CellSummary.Builder summary) {
        Optional<String> leader = replica.leader();
        leader.ifPresent(summary::setLeader);
        replica.membership()
                .members()
                .forEach(member ->
                        summary.addReplicas(row(member.name(), member.address().toString(), leader)));
        return summary;
    }

    private static CellReplica row(String name, String address, Optional<String> leader) {
        return CellReplica.newBuilder()
                .setName(name)
                .setAddress(address)
                .setLeader(leader.filter(name::equals).isPresent())
                .build();
    }
}
