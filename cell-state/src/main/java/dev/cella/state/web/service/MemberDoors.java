package dev.cella.state.web.service;

import dev.cella.client.access.Tls;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.transactions.model.CellVersion;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Asks other replicas for the identity of their directory and the version they show. */
public final class MemberDoors {
    /** The path of the identity of a replica's directory, for other replicas. It never changes. */
    public static final String IDENTITY_PATH = "/internal/replica";

    /** Begins the line with the version that a running replica shows. */
    private static final String VERSION_KEY = "version=";

    /** Begins the line that says up to which entry each member has confirmed the log: {@code r1:17,r2:18}. */
    private static final String CONFIRMED_KEY = "confirmed=";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final HttpClient http;

    public MemberDoors(Optional<Tls> tls) {
        this.http = FeatureLevels.client(tls, ANSWER_MAX);
    }

    /**
     * A replica's answer.
     *
     * @param version the version that it shows; empty if it waits on an empty directory
     * @param confirmed up to which entry each member has confirmed the log, by the member's id, as far as it knows
     */
    public record Told(DirectoryIdentity identity, OptionalLong version, Map<String, Long> confirmed) {
        public Told {
            confirmed = Map.copyOf(confirmed);
        }
    }

    /** The answer of a running replica. */
    public static String answer(DirectoryIdentity identity, CellVersion version, Map<String, Long> confirmed) {
        return identity.toText() + VERSION_KEY + version.number() + "\n" + CONFIRMED_KEY
                + confirmed.entrySet().stream()
                        .map(member -> member.getKey() + ":" + member.getValue())
                        .sorted()
                        .collect(Collectors.joining(","))
                + "\n";
    }

    /** Empty if no replica answers. */
    public CompletableFuture<Optional<Told>> ask(URI address) {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(IDENTITY_PATH))
                .timeout(ANSWER_MAX)
                .build();
        return http.sendAsync(request, BodyHandlers.ofString())
                .thenApply(MemberDoors::read)
                .exceptionally(silent -> Optional.empty());
    }

    private static Optional<Told> read(HttpResponse<String> answer) {
        return answer.statusCode() == 200
                ? Optional.of(new Told(
                        DirectoryIdentity.parse(answer.body()), version(answer.body()), confirmed(answer.body())))
                : Optional.empty();
    }

    private static OptionalLong version(String body) {
        return line(VERSION_KEY, body).mapToLong(Long::parseLong).findFirst();
    }

    /** An older program does not say it. */
    private static Map<String, Long> confirmed(String body) {
        return line(CONFIRMED_KEY, body)
                .filter(words -> !words.isEmpty())
                .flatMap(words -> Stream.of(words.split(",", -1)))
                .collect(Collectors.toMap(
                        word -> word.substring(0, word.lastIndexOf(':')),
                        word -> Long.valueOf(word.substring(word.lastIndexOf(':') + 1))));
    }

    private static Stream<String> line(String key, String body) {
        return body.lines().filter(line -> line.startsWith(key)).map(line -> line.substring(key.length()));
    }
}
