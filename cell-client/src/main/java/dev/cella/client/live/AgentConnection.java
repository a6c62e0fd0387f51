package dev.cella.client.live;

import dev.cella.client.proto.Job;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewAnswer;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.SpecificationRequest;
import java.util.concurrent.CompletableFuture;

/**
 * What a node agent says to a cell and asks of it. Each call is made once: when to ask again is the agent's to decide,
 * which knows what has changed on its machine meanwhile. A call fails with a {@link dev.cella.client.Problem}.
 *
 * <p>Safe to share between threads; answers come on a thread of the network.
 */
public final class AgentConnection {
    private final CellConnection connection;

    public AgentConnection(CellConnection connection) {
        this.connection = connection;
    }

    /** Announces a machine; another boot id than the one known makes a new incarnation of its row. */
    public CompletableFuture<Registration> register(RegisterRequest request) {
        return connection.call(server -> server.agents()::register, request);
    }

    /** Renews the leases of all machines of the agent. */
    public CompletableFuture<RenewAnswer> renew(RenewRequest request) {
        return connection.call(server -> server.agents()::renew, request);
    }

    /** Says what has become of attempts; one result each, in order. */
    public CompletableFuture<ReportAnswer> report(ReportRequest request) {
        return connection.call(server -> server.agents()::report, request);
    }

    /** What a job asks to be run, in one of its generations. */
    public CompletableFuture<Job> specification(SpecificationRequest request) {
        return connection.call(server -> server.agents()::getSpecification, request);
    }
}
