package dev.cella.state;

import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.transactions.cell.CellView;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A replica of the build that this class was compiled with. Its files are small, so that a short load fills many. */
public final class ReplicaOfThisBuild implements BuiltReplica {
    private static final Duration ELECTION_TIMEOUT_MIN = Duration.ofMillis(500);

    private final CellServer server;

    private ReplicaOfThisBuild(CellServer server) {
        this.server = server;
    }

    private static CellServerOptions options(Start start) {
        return CellServerOptions.defaults(start.data())
                .withPort(start.port())
                .withFreeBytesMin(0)
                .withReplica(ReplicaOptions.defaults()
                        .withLog(RatisOptions.defaults()
                                .withElectionTimeoutMin(ELECTION_TIMEOUT_MIN)
                                .withSegmentBytes(32 << 10))
                        .withFoundingLevel(start.foundingLevel())
                        .withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(16 << 10))
                        .withMembership(membership(start)));
    }

    private static Membership membership(Start start) {
        List<Member> members = start.rows().stream()
                .map(row -> new Member(row.name(), row.log(), URI.create(row.address())))
                .toList();
        return members.isEmpty() ? Membership.alone() : new Membership(start.name(), members);
    }

    @Override
    public String address() {
        return server.address();
    }

    @Override
    public long version() {
        return server.<Long>read(view -> view.version().number());
    }

    @Override
    public int featureLevel() {
        return server.<Integer>read(CellView::featureLevel);
    }

    @Override
    public long digest() {
        return server.<Long>read(CellView::digest);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** Starts replicas of this build. */
    public static final class OfThisBuild implements Starter {
        @Override
        public BuiltReplica start(Start start) throws Exception {
            return new ReplicaOfThisBuild(CellServer.start(
                    options(start), (message, cause) -> start.departed().accept(message, cause)));
        }
    }
}
