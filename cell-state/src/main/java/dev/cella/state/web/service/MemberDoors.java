package dev.cella.state.web.service;

import dev.cella.client.access.Tls;
import dev.cella.state.core.DirectoryIdentity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Asks other replicas for the identity of their directory and the version they show. */
public final class MemberDoors {
    /** The path of the identity of a replica's directory, for other replicas. It never changes. */
    public static final String IDENTITY_PATH = "/internal/replica";

    /** Begins the line with the version that a running replica shows. */
    public static final String VERSION_KEY = "version=";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final HttpClient http;

    MemberDoors(Optional<Tls> tls) {
        this.http = FeatureLevels.client(tls, ANSWER_MAX);
    }

    /** A replica's answer. */
    record Told(DirectoryIdentity identity, OptionalLong version) {}

    /** Empty if no replica answers. */
    CompletableFuture<Optional<Told>> ask(URI address) {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(IDENTITY_PATH))
                .timeout(ANSWER_MAX)
                .build();
        return http.sendAsync(request, BodyHandlers.ofString())
                .thenApply(MemberDoors::read)
                .exceptionally(silent -> Optional.empty());
    }

    private static Optional<Told> read(HttpResponse<String> answer) {
        return answer.statusCode() == 200
                ? Optional.of(new Told(DirectoryIdentity.parse(answer.body()), version(answer.body())))
                : Optional.empty();
    }

    private static OptionalLong version(String body) {
        return body.lines()
                .filter(line -> line.startsWith(VERSION_KEY))
                .mapToLong(line -> Long.parseLong(line.substring(VERSION_KEY.length())))
                .findFirst();
    }
}
