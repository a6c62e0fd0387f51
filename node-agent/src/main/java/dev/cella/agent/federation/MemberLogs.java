package dev.cella.agent.federation;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.agent.logs.AttemptKey;
import dev.cella.agent.logs.LogService;
import dev.cella.client.CellAddresses;
import dev.cella.client.live.ClientTls;
import dev.cella.client.live.SilentServers;
import dev.cella.transactions.model.Incarnation;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves the output of home tasks that run as jobs of a member cell: it passes on that cell's answer. Any thread may call it. */
public final class MemberLogs implements HttpService, AutoCloseable {
    private final CellAddresses member;
    private final Supplier<Optional<Incarnation>> home;
    private final ClientFactory factory;

    /** @param home the history of the home cell, once it is known */
    public MemberLogs(CellAddresses member, Supplier<Optional<Incarnation>> home) {
        this.member = member;
        this.home = home;
        ClientFactoryBuilder builder = ClientFactory.builder();
        SilentServers.leave(builder);
        member.access().tls().ifPresent(tls -> ClientTls.set(builder, tls));
        this.factory = builder.build();
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        try {
            AttemptKey key = LogService.key(context);
            Optional<Incarnation> known = home.get();
            return known.isEmpty()
                    ? LogService.refusal(HttpStatus.SERVICE_UNAVAILABLE, "the agent does not know its cell yet")
                    : ask(path(key, known.get(), context.query()));
        } catch (IllegalArgumentException bad) {
            return LogService.refusal(HttpStatus.BAD_REQUEST, String.valueOf(bad.getMessage()));
        }
    }

    /** The attempts of a twin are the member cell's own, so its newest one is meant. */
    private static String path(AttemptKey key, Incarnation home, @Nullable String query) {
        String twin = TwinJob.name(home, key.job(), key.group(), key.index(), key.attempt());
        return "/v1/tasks/" + twin + "/main/0:logs" + (query == null ? "" : "?" + query);
    }

    /** Any server of the member cell answers, so the next one is asked where one does not. */
    private HttpResponse ask(String path) {
        return ask(path, member.first(), member.count());
    }

    private HttpResponse ask(String path, URI server, int left) {
        HttpResponse answer = client(server).get(path);
        return left == 1 ? answer : answer.recover(failure -> ask(path, member.after(server), left - 1));
    }

    private WebClient client(URI server) {
        var client = WebClient.builder(server)
                .factory(factory)
                .responseTimeoutMillis(0)
                .maxResponseLength(0);
        member.access().authorization().ifPresent(said -> client.setHeader(HttpHeaderNames.AUTHORIZATION, said));
        return client.build();
    }

    @Override
    public void close() {
        factory.close();
    }
}
