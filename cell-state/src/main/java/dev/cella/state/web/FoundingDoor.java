package dev.cella.state.web;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import dev.cella.client.Problem;
import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.HostCheck;
import dev.cella.state.web.http.ProblemAnswers;
import dev.cella.state.web.service.FeatureLevels;
import dev.cella.state.web.service.MemberDoors;
import dev.cella.state.web.service.MemberDoors.Standing;
import java.util.concurrent.CompletionException;

/**
 * Stands in for a replica's doors while it waits to found a cell with others. It tells the other replicas the identity of its
 * directory, and everybody else that there is no cell yet.
 */
public final class FoundingDoor implements AutoCloseable {
    /** The path of the identity of a replica's directory, for other replicas. It never changes. */
    public static final String IDENTITY_PATH = MemberDoors.IDENTITY_PATH;

    /**
     * The path of the feature level that the program knows. Since it stands in the identity, only older programs ask for it here.
     */
    public static final String LEVEL_PATH = FeatureLevels.PATH;

    private final Server server;

    private FoundingDoor(Server server) {
        this.server = server;
    }

    /** Opens the door; fails with the cause if the port is not available. */
    public static FoundingDoor open(DataDirectory directory, WebOptions options) {
        ProblemAnswers problems = new ProblemAnswers(new JsonCodec());
        Server server = ServerTls.listen(Server.builder(), options.address(), options.security())
                .service(IDENTITY_PATH, (context, request) -> identity(directory))
                .service(
                        LEVEL_PATH,
                        (context, request) ->
                                HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, FeatureLevels.own()))
                .serviceUnder(
                        "/",
                        (context, request) ->
                                problems.answer(Problem.noLeader("The cell waits for all its replicas to be founded")))
                .decorator(new HostCheck(problems, options.allHostNames()))
                .maxNumConnections(Connections.countMax())
                .build();
        try {
            server.start().join();
        } catch (CompletionException failure) {
            var unused = server.stop();
            throw failure;
        }
        return new FoundingDoor(server);
    }

    private static HttpResponse identity(DataDirectory directory) {
        return text(directory.told().toText());
    }

    /** The answer of a running replica. */
    static HttpResponse identity(DataDirectory directory, Replica replica) {
        // Read first: if this replica led then, the identity is at least as new as that.
        Standing standing = standing(replica);
        return text(MemberDoors.answer(
                directory.told(), replica.version(), replica.log().confirmed(), standing));
    }

    private static Standing standing(Replica replica) {
        if (replica.leads()) {
            return Standing.LEADS;
        }
        return replica.isCurrent() ? Standing.FOLLOWS : Standing.UNSAID;
    }

    private static HttpResponse text(String text) {
        return HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, text);
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
