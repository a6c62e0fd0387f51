package dev.cella.state.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.cella.client.Problem;
import dev.cella.state.web.http.ProblemAnswers;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Watches the connections of a server: each must send a request head soon after opening, and the {@link ConnectionRoom}
 * decides which ones stay.
 *
 * <p>The remote address identifies a connection, because both the pipeline and a request see it.
 */
final class Connections implements DecoratingHttpServiceFunction {
    private static final long FILES_KEPT_MIN = 512;
    private static final long FILES_KEPT_PART = 4;

    private final ConnectionRoom room;
    private final Duration headMax;
    private final ProblemAnswers problems;

    /**
     * @param headMax a connection without a whole request head after this time is closed
     */
    Connections(ConnectionRoom.Sizes sizes, Duration headMax, ProblemAnswers problems) {
        this.room = new ConnectionRoom(sizes);
        this.headMax = headMax;
        this.problems = problems;
    }

    /** The most connections of this process. */
    static int countMax() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? countMax(system.getMaxFileDescriptorCount())
                : ClientLimits.CONNECTIONS_MAX;
    }

    /**
     * The most connections of a process that may open that many files: a fixed number, or fewer, so that a quarter of the files stays
     * for the log, the tables and the jars. These need 512 files, and half of the files where there are so few.
     */
    static int countMax(long files) {
        long kept = Math.max(FILES_KEPT_MIN, files / FILES_KEPT_PART);
        return (int) Math.min(ClientLimits.CONNECTIONS_MAX, Math.max(files - kept, files / 2));
    }

    /** Called for each connection that is opened. */
    void watch(ChannelPipeline pipeline) {
        Channel channel = pipeline.channel();
        SocketAddress key = channel.remoteAddress();
        if (key == null) {
            var unused = channel.close();
            return;
        }
        room.opened(key, new Open(channel, peer(key)));
        var unusedClosing = channel.closeFuture().addListener(closed -> room.closed(key));
        var unusedWatching = channel.eventLoop()
                .schedule(() -> closeUnproven(channel, key), headMax.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void closeUnproven(Channel channel, SocketAddress key) {
        if (channel.isOpen() && room.isUnproven(key)) {
            var unused = channel.close();
        }
    }

    private static String peer(SocketAddress address) {
        return address instanceof InetSocketAddress internet
                ? internet.getAddress().getHostAddress()
                : address.toString();
    }

    private record Open(Channel channel, String peer) implements ConnectionRoom.Connection {
        @Override
        public void close() {
            var unused = channel.close();
        }
    }

    /**
     * Admits the connections of clients. A request that says it is from a part passes, and its connection stays unproven until
     * {@link #ofParts} has seen it: anybody can say so.
     */
    @Override
    public HttpResponse serve(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        return saysItIsOfAPart(request) || room.asked(context.remoteAddress(), false)
                ? delegate.serve(context, request)
                : refuse(context);
    }

    /**
     * Admits the connections of the cell's own parts. It stands behind the gate, which knows the caller.
     *
     * @param isKnown whether the gate knows the caller
     */
    DecoratingHttpServiceFunction ofParts(Predicate<ServiceRequestContext> isKnown) {
        return (delegate, context, request) ->
                !saysItIsOfAPart(request) || room.asked(context.remoteAddress(), isKnown.test(context))
                        ? delegate.serve(context, request)
                        : refuse(context);
    }

    private HttpResponse refuse(ServiceRequestContext context) {
        var unused = context.initiateConnectionShutdown();
        return problems.answer(Problem.overloaded("Too many connections are open, or too many from this address")
                .withHint("close those that you do not use, or ask another replica"));
    }

    private static boolean saysItIsOfAPart(HttpRequest request) {
        return Gate.isForParts(request.path()) || request.headers().contains(LeaderProxy.FORWARDED_BY);
    }

    /** The number of open connections. */
    int open() {
        return room.open();
    }
}
