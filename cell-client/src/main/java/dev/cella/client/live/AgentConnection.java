package dev.cella.client.live;

import dev.cella.client.proto.Job;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewAnswer;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.SpecificationRequest;
import dev.cella.client.proto.StartAnswer;
import dev.cella.client.proto.StartRequest;
import java.util.concurrent.CompletableFuture;

/**
 * The calls of a node agent to a cell. The agent decides when to repeat one, because it knows what has changed on its
 * machine; only if an answer names the leader, it is repeated there at once. A call fails with a {@link dev.cella.client.Problem}.
 *
 * <p>Safe to share between threads; answers come on a thread of the network.
 */
public final class AgentConnection {
    private final CellConnection connection;

    public AgentConnection(CellConnection connection) {
        this.connection = connection;
    }

    /** Registers a machine. A boot id that differs from the known one makes a new incarnation of its row. */
    public CompletableFuture<Registration> register(RegisterRequest request) {
        return connection.call(server -> server.agents()::register, request);
    }

    /** Renews the leases of all machines of the agent. */
    public CompletableFuture<RenewAnswer> renew(RenewRequest request) {
        return connection.call(server -> server.agents()::renew, request);
    }

    /** Reports changes of attempts. Returns one result each, in order. */
    public CompletableFuture<ReportAnswer> report(ReportRequest request) {
        return connection.call(server -> server.agents()::report, request);
    }

    /** Starts tasks that wait in the queues of its machines. Returns one result each, in order. */
    public CompletableFuture<StartAnswer> start(StartRequest request) {
        return connection.call(server -> server.agents()::start, request);
    }

    /** A job's specification in one of its generations. */
    public CompletableFuture<Job> specification(SpecificationRequest request) {
        return connection.call(server -> server.agents()::getSpecification, request);
    }
}
