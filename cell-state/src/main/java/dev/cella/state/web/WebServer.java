package dev.cella.state.web;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.job.JobRules;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.AgentServiceGrpc;
import dev.cella.client.proto.FeedServiceGrpc;
import dev.cella.client.proto.Job;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.web.access.Permissions;
import dev.cella.state.web.feed.FeedProjection;
import dev.cella.state.web.feed.FeedRoute;
import dev.cella.state.web.feed.MachineFeed;
import dev.cella.state.web.http.HostCheck;
import dev.cella.state.web.http.HttpDoor;
import dev.cella.state.web.http.JsonMessages;
import dev.cella.state.web.http.ProblemAnswers;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.service.Disagreements;
import dev.cella.state.web.service.FeatureLevels;
import dev.cella.state.web.service.SchedulerFigures;
import dev.cella.state.web.service.SchedulerReports;
import dev.cella.state.web.service.Services;
import dev.cella.state.web.service.UsageFacts;
import dev.cella.state.web.service.WaitFacts;
import dev.cella.transactions.model.MachineId;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All doors of a cell on one port: gRPC, HTTP and JSON, the feed, the logs, and the pages for operators.
 *
 * <p>Every request passes the {@link HostCheck} and then reaches the gRPC door or the {@link HttpDoor}. Both are made from the
 * one table that {@link Services} returns.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

    /** How long no request must be under way. With zero, Armeria would cut off those that are. */
    private static final Duration CLOSE_QUIET = Duration.ofMillis(20);

    /** Streams are always under way. */
    private static final Duration CLOSE_PATIENCE = Duration.ofMillis(300);

    private static final Duration CLOSE_MAX = Duration.ofMillis(700);

    /** As long as a leader that leaves waits for the next one, which may have to run cold code for its first answer. */
    private static final Duration FORWARDED_MAX = Replica.HAND_OVER_MAX;

    private final Replica replica;
    private final ProblemAnswers problems;
    private final FeedProjection projection;
    private final MachineFeed machineFeed;
    private final LiveFigures figures;
    private final LogsRoute logs;
    private final LeaderProxy leaderProxy;
    private final DataDirectory directory;
    private final Connections connections;
    private final Gate gate;
    private final ChannelGroup openChannels = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);
    private final Server server;
    private final InetSocketAddress address;
    private final String scheme;

    /** Makes the doors, which is most of the work, and leaves them closed. */
    public WebServer(Replica replica, Time time, DataDirectory directory, WebOptions options) {
        JsonCodec codec = new JsonCodec().withRules(Job.getDefaultInstance(), JobRules::check);
        this.replica = replica;
        this.address = options.address();
        this.scheme = ServerTls.scheme(options.security());
        this.problems = new ProblemAnswers(codec);
        this.connections = new Connections(
                ConnectionRoom.Sizes.of(Connections.countMax()), ClientLimits.REQUEST_HEAD_MAX, problems);
        this.projection = new FeedProjection(replica, codec, time);
        this.machineFeed = new MachineFeed(replica, time);
        this.logs = new LogsRoute(replica, problems, options.security());
        this.directory = directory;
        SchedulerReports reports = new SchedulerReports(time);
        UsageFacts usage = new UsageFacts(time);
        Disagreements disagreements = new Disagreements();
        LongAdder tasksVisited = new LongAdder();
        List<UnaryMethod<?, ?>> unguarded = Services.of(
                replica,
                time,
                directory,
                options.security().tls(),
                reports,
                usage,
                new WaitFacts(time, this::hasMachine),
                disagreements,
                tasksVisited,
                options.replay(),
                options.specificationBytesMax(),
                this::address);
        List<UnaryMethod<?, ?>> methods = guarded(unguarded);
        this.gate = new Gate(replica, time, options.security(), problems);
        this.leaderProxy = new LeaderProxy(replica, pathsAnsweredAnywhere(methods), problems, options.security());
        this.figures = new LiveFigures(unguarded, replica::leads, leaderProxy::read, codec, time);
        WebStats stats = new WebStats(
                replica,
                new SchedulerFigures(replica, reports),
                usage,
                disagreements,
                tasksVisited,
                options.specificationBytesMax(),
                options.security());
        this.server = build(codec, methods, stats, options);
    }

    private boolean hasMachine(MachineId machine) {
        return replica.read(view -> view.findMachine(machine).isPresent());
    }

    private List<UnaryMethod<?, ?>> guarded(List<UnaryMethod<?, ?>> methods) {
        Permissions permissions = new Permissions(replica);
        List<UnaryMethod<?, ?>> guarded = new ArrayList<>();
        methods.forEach(method -> guarded.add(permissions.guarded(method)));
        return guarded;
    }

    /** The paths of gRPC calls that change nothing, such as the feed and an agent's questions about it. */
    private static Set<String> pathsAnsweredAnywhere(List<UnaryMethod<?, ?>> methods) {
        return Stream.concat(
                        methods.stream().filter(UnaryMethod::isRead).map(UnaryMethod::grpc),
                        Stream.of(FeedServiceGrpc.getWatchMethod(), AgentServiceGrpc.getGetSpecificationMethod()))
                .map(method -> "/" + method.getFullMethodName())
                .collect(Collectors.toSet());
    }

    /** Opens the doors; fails with the cause if the port is not available. */
    public void open() {
        server.start().join();
        server.config().blockingTaskExecutor().execute(leaderProxy::makeReady);
    }

    private Server build(JsonCodec codec, List<UnaryMethod<?, ?>> methods, WebStats stats, WebOptions options) {
        GrpcDoor grpc = new GrpcDoor(
                methods, List.of(CommitStream.method(replica), WatchStream.method(replica, projection, machineFeed)));
        return ServerTls.listen(Server.builder(), options.address(), options.security())
                .service(grpc.service(), door -> GrpcDoor.withoutBounds(door.decorate(leaderProxy)))
                .serviceUnder("/", httpDoor(codec, methods, stats).decorate(leaderProxy))
                .decorator(connections.ofParts(gate::isKnown))
                .decorator(gate)
                .decorator(new HostCheck(problems, options.allHostNames()))
                .decorator(connections)
                .decorator(stats)
                .decorator(WebServer::asWhatItIs)
                .decorator(WebServer::notStored)
                .errorHandler(new ServerProblems(problems))
                .unloggedExceptionsReportIntervalMillis(0)
                .meterRegistry(new CompositeMeterRegistry())
                .childChannelPipelineCustomizer(this::watch)
                .idleTimeout(ClientLimits.IDLE_MAX)
                .maxRequestLength(ClientLimits.BODY_BYTES_READ_MAX)
                .requestTimeout(ClientLimits.REQUEST_MAX)
                .http1MaxInitialLineLength(ClientLimits.REQUEST_LINE_BYTES_MAX)
                .http1MaxHeaderSize(ClientLimits.HEADER_BYTES_MAX)
                .http2MaxHeaderListSize(ClientLimits.HEADER_BYTES_MAX)
                .http2MaxStreamsPerConnection(ClientLimits.STREAMS_PER_CONNECTION_MAX)
                .gracefulShutdownTimeout(CLOSE_QUIET, CLOSE_PATIENCE)
                .build();
    }

    /**
     * Browsers must take each answer for what its type says. Otherwise they would run the output of a task as a script of the
     * console, which may run all scripts of this server.
     */
    private static HttpResponse asWhatItIs(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        context.setAdditionalResponseHeader(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
        return delegate.serve(context, request);
    }

    /** No browser and no proxy may keep the answer of a call: it is of one moment, and for one caller. */
    private static HttpResponse notStored(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        if (context.path().startsWith("/v1/")) {
            context.setAdditionalResponseHeader(HttpHeaderNames.CACHE_CONTROL, "no-store");
        }
        return delegate.serve(context, request);
    }

    private void watch(ChannelPipeline pipeline) {
        openChannels.add(pipeline.channel());
        connections.watch(pipeline);
        HostHeaderCount.install(pipeline, scheme.startsWith("https"));
    }

    private HttpDoor httpDoor(JsonCodec codec, List<UnaryMethod<?, ?>> methods, WebStats stats) {
        HttpDoor door = new HttpDoor(new JsonMessages(codec), problems, FailureAnswers::problemOf);
        methods.forEach(door::addUnary);
        door.addStream(FeedRoute.of(projection, figures::get));
        door.addStream(logs.method());
        Dashboard dashboard = new Dashboard(problems);
        door.addPage("/", dashboard);
        door.addPage(Dashboard.FILES_PATH, dashboard);
        Documents documents = new Documents(door);
        door.addPage("/docs", new CallsPage(door::routes, dashboard));
        door.addPage("/openapi.json", documents::openApi);
        door.addPage("/schemas/job.json", documents::job);
        door.addPage("/healthz", (context, http) -> text("alive\n"));
        door.addPage("/readyz", this::readyz);
        door.addPage("/v1/backup", new BackupRoute(replica, directory.backups()));
        door.addPage("/metrics", stats.page());
        door.addPage(FoundingDoor.IDENTITY_PATH, (context, http) -> FoundingDoor.identity(directory, replica));
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
        return replica.membership().isAlone() ? replica.leads() : replica.isCurrent();
    }

    private static HttpResponse text(String text) {
        return HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, text);
    }

    /** {@code http://host:port}, with the port that is in use. */
    public String address() {
        String host = address.getHostString();
        String bracketed = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return scheme + bracketed + ":" + listeningPort();
    }

    /** Armeria's own {@code activeLocalPort} knows only loopback and wildcard addresses. */
    private int listeningPort() {
        return Objects.requireNonNull(server.activePort(), "the doors are not open")
                .localAddress()
                .getPort();
    }

    /**
     * Stops listening and ends every stream, within four seconds: two of them only if the leader does not answer what was
     * forwarded to it. No connection survives: otherwise a closed server would answer a client that keeps its connection open,
     * although another server listens at the address.
     */
    @Override
    public void close() {
        await(leaderProxy.stopAnswering(), FORWARDED_MAX, "The leader has not answered all that was forwarded");
        await(server.stop(), CLOSE_MAX, "The accepting thread still runs");
        openChannels.close().awaitUninterruptibly(CLOSE_MAX.toMillis());
        gate.close();
        projection.close();
        logs.close();
        leaderProxy.close();
    }

    /**
     * After the doors are closed, Netty's accepting thread keeps running for two seconds in case somebody still has work for
     * it. Nobody here has.
     */
    private static void await(CompletableFuture<Void> done, Duration max, String isLate) {
        try {
            done.get(max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.debug("{}", isLate);
        } catch (ExecutionException failure) {
            LOG.warn("The doors did not close as they should", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
