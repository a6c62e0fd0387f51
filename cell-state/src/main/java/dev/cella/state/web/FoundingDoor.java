package dev.cella.state.web;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import dev.cella.client.Problem;
import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.web.http.HostCheck;
import dev.cella.state.web.http.ProblemAnswers;
import java.util.concurrent.CompletionException;

/**
 * What stands where a replica's doors will be, while it waits for the others to found a cell with it: it tells them whose
 * its directory is, and everybody else that there is no cell yet.
 */
public final class FoundingDoor implements AutoCloseable {
    /** Where a replica tells the others of its directory, now and for ever. */
    public static final String IDENTITY_PATH = "/internal/replica";

    private final Server server;

    private FoundingDoor(Server server) {
        this.server = server;
    }

    /** Opens it; fails with the cause if the port cannot be had. */
    public static FoundingDoor open(DataDirectory directory, WebOptions options) {
        ProblemAnswers problems = new ProblemAnswers(new JsonCodec());
        Server server = Server.builder()
                .http(options.address())
                .service(IDENTITY_PATH, (context, request) -> identity(directory))
                .serviceUnder(
                        "/",
                        (context, request) ->
                                problems.answer(Problem.noLeader("The cell waits for all its replicas to be founded")))
                .decorator(new HostCheck(problems, options.allHostNames()))
                .maxNumConnections(Limits.CONNECTIONS_MAX)
                .build();
        try {
            server.start().join();
        } catch (CompletionException failure) {
            var unused = server.stop();
            throw failure;
        }
        return new FoundingDoor(server);
    }

    static HttpResponse identity(DataDirectory directory) {
        return HttpResponse.of(
                HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, directory.identity().toText());
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
