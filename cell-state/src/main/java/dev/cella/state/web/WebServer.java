package dev.cella.state.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.AgentServiceGrpc;
import dev.cella.client.proto.FeedServiceGrpc;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.web.feed.FeedProjection;
import dev.cella.state.web.feed.FeedRoute;
import dev.cella.state.web.http.HostCheck;
import dev.cella.state.web.http.HttpDoor;
import dev.cella.state.web.http.JsonMessages;
import dev.cella.state.web.http.ProblemAnswers;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.service.FeatureLevels;
import dev.cella.state.web.service.SchedulerFigures;
import dev.cella.state.web.service.SchedulerReports;
import dev.cella.state.web.service.Services;
import dev.cella.transactions.model.Principal;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All doors of a cell on one port: gRPC, HTTP and JSON, the feed, the logs, and what operators look at.
 *
 * <p>A request passes the {@link HostCheck}, whatever it is for, and then comes to the gRPC door or the {@link HttpDoor}, which
 * are both made of the one table that {@link Services} gives.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

    /** Until there are tokens, nobody says who commits. */
    private static final Principal ANYONE = new Principal("anyone");

    private static final Duration CLOSE_PATIENCE = Duration.ofMillis(300);
    private static final Duration CLOSE_MAX = Duration.ofMillis(700);

    private final Replica replica;
    private final ProblemAnswers problems;
    private final FeedProjection projection;
    private final LogsRoute logs;
    private final LeaderProxy leaderProxy;
    private final DataDirectory directory;
    private final boolean isAlone;
    private final ChannelGroup connections = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);
    private final Server server;
    private final InetSocketAddress address;

    /** Makes the doors, which is most of the work, and leaves them closed. */
    public WebServer(Replica replica, Time time, DataDirectory directory, WebOptions options) {
        JsonCodec codec = new JsonCodec();
        this.replica = replica;
        this.address = options.address();
        this.problems = new ProblemAnswers(codec);
        this.projection = new FeedProjection(replica, codec, time);
        this.logs = new LogsRoute(replica, problems);
        this.directory = directory;
        this.isAlone = options.membership().isAlone();
        SchedulerReports reports = new SchedulerReports(time);
        List<UnaryMethod<?, ?>> methods = Services.of(replica, time, options.membership(), reports, this::address);
        this.leaderProxy = new LeaderProxy(replica, options.membership(), pathsAnsweredAnywhere(methods), problems);
        this.server = build(codec, methods, new WebStats(replica, new SchedulerFigures(replica, reports)), options);
    }

    /** Of gRPC calls that change nothing; the feed is one of them, and what an agent asks about what it saw there. */
    private static Set<String> pathsAnsweredAnywhere(List<UnaryMethod<?, ?>> methods) {
        return Stream.concat(
                        methods.stream().filter(UnaryMethod::isRead).map(UnaryMethod::grpc),
                        Stream.of(FeedServiceGrpc.getWatchMethod(), AgentServiceGrpc.getGetSpecificationMethod()))
                .map(method -> "/" + method.getFullMethodName())
                .collect(Collectors.toSet());
    }

    /** Opens the doors; fails with the cause if the port cannot be had. */
    public void open() {
        server.start().join();
        server.config().blockingTaskExecutor().execute(leaderProxy::makeReady);
    }

    private Server build(JsonCodec codec, List<UnaryMethod<?, ?>> methods, WebStats stats, WebOptions options) {
        GrpcDoor grpc = new GrpcDoor(
                methods, List.of(CommitStream.method(replica, ANYONE), WatchStream.method(replica, projection)));
        return Server.builder()
                .http(options.address())
                .service(grpc.service(), door -> GrpcDoor.withoutBounds(door.decorate(leaderProxy)))
                .serviceUnder("/", httpDoor(codec, methods, stats).decorate(leaderProxy))
                .decorator(new HostCheck(problems, options.allHostNames()))
                .decorator(stats)
                .errorHandler(new ServerProblems(problems))
                .unloggedExceptionsReportIntervalMillis(0)
                .meterRegistry(new CompositeMeterRegistry())
                .childChannelPipelineCustomizer(pipeline -> connections.add(pipeline.channel()))
                .maxNumConnections(Limits.CONNECTIONS_MAX)
                .maxRequestLength(Limits.BODY_BYTES_READ_MAX)
                .requestTimeout(Limits.REQUEST_MAX)
                .http1MaxInitialLineLength(Limits.REQUEST_LINE_BYTES_MAX)
                .http1MaxHeaderSize(Limits.HEADER_BYTES_MAX)
                .http2MaxHeaderListSize(Limits.HEADER_BYTES_MAX)
                .http2MaxStreamsPerConnection(Limits.STREAMS_PER_CONNECTION_MAX)
                .gracefulShutdownTimeout(Duration.ZERO, CLOSE_PATIENCE)
                .build();
    }

    private HttpDoor httpDoor(JsonCodec codec, List<UnaryMethod<?, ?>> methods, WebStats stats) {
        HttpDoor door = new HttpDoor(new JsonMessages(codec), problems, Failures::problemOf);
        methods.forEach(door::addUnary);
        door.addStream(FeedRoute.of(projection));
        door.addStream(logs.method());
        Dashboard dashboard = new Dashboard(problems);
        door.addPage("/", dashboard);
        door.addPage(Dashboard.FILES_PATH, dashboard);
        door.addPage("/docs", new CallsPage(door::routes));
        door.addPage("/healthz", (context, http) -> text("alive\n"));
        door.addPage("/readyz", this::readyz);
        door.addPage("/metrics", stats.page());
        door.addPage(FoundingDoor.IDENTITY_PATH, (context, http) -> FoundingDoor.identity(directory));
        door.addPage(FeatureLevels.PATH, (context, http) -> text(FeatureLevels.own()));
        door.addPage(ProblemPages.PATH, new ProblemPages(problems));
        return door;
    }

    private HttpResponse readyz(ServiceRequestContext context, HttpRequest http) {
        return isReady()
                ? text("ready\n")
                : problems.answer(Problem.noLeader("This replica sees no leader, or is far behind it"));
    }

    private boolean isReady() {
        return isAlone ? replica.leads() : replica.isCurrent();
    }

    private static HttpResponse text(String text) {
        return HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, text);
    }

    /** {@code http://host:port}, with the port that it has in fact. */
    public String address() {
        String host = address.getHostString();
        String bracketed = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return "http://" + bracketed + ":" + server.activeLocalPort();
    }

    /**
     * Stops listening and ends every stream, within two seconds. No connection outlives this: on one that did, a client that keeps
     * it open would be answered by a server that is no more, although another listens at its address.
     */
    @Override
    public void close() {
        awaitStop(server.stop());
        connections.close().awaitUninterruptibly(CLOSE_MAX.toMillis());
        projection.close();
        logs.close();
        leaderProxy.close();
    }

    /** Netty's accepting thread goes on for two seconds in case somebody still has work for it; nobody here has. */
    private static void awaitStop(CompletableFuture<Void> stopped) {
        try {
            stopped.get(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException allButTheAcceptingThread) {
            LOG.debug("The doors are closed");
        } catch (ExecutionException failure) {
            LOG.warn("The doors did not close as they should", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
