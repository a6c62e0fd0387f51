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

    /** Begins the line that says how the replica stands in its cell, if it has a leader. */
    private static final String STANDING_KEY = "standing=";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final HttpClient http;

    public MemberDoors(Optional<Tls> tls) {
        this.http = FeatureLevels.client(tls, ANSWER_MAX);
    }

    /** How a replica stands in its cell, and so how much its answer says about who belongs to the cell. */
    public enum Standing {
        /** It leads: it has every change of the members. */
        LEADS,
        /** It follows the leader closely: it has every change of the members, or will have it in a moment. */
        FOLLOWS,
        /** It knows no leader or is behind, or its program is older: it may not know of changes. */
        UNSAID
    }

    /**
     * A replica's answer.
     *
     * @param version the version that it shows; empty if it waits on an empty directory
     * @param confirmed up to which entry each member has confirmed the log, by the member's id, as far as it knows
     */
    public record Told(
            DirectoryIdentity identity, OptionalLong version, Map<String, Long> confirmed, Standing standing) {
        public Told {
            confirmed = Map.copyOf(confirmed);
        }
    }

    /** The answer of a running replica. */
    public static String answer(
            DirectoryIdentity identity, CellVersion version, Map<String, Long> confirmed, Standing standing) {
        return identity.toText() + STANDING_KEY + standing + "\n" + VERSION_KEY + version.number() + "\n"
                + CONFIRMED_KEY
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
                        DirectoryIdentity.parse(answer.body()),
                        version(answer.body()),
                        confirmed(answer.body()),
                        standing(answer.body())))
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

    private static Standing standing(String body) {
        return line(STANDING_KEY, body)
                .flatMap(word -> Stream.of(Standing.values())
                        .filter(standing -> standing.name().equals(word)))
                .findFirst()
                .orElse(Standing.UNSAID);
    }

    private static Stream<String> line(String key, String body) {
        return body.lines().filter(line -> line.startsWith(key)).map(line -> line.substring(key.length()));
    }
}
