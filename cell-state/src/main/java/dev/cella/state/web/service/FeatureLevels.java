package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.client.access.Tls;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.Replica;
import dev.cella.state.web.access.Caller;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether every replica of the cell knows a feature level, by asking each one just before the cell is raised. A program
 * that does not know the level cannot read the log from then on, and its replica would leave permanently.
 */
public final class FeatureLevels {
    /**
     * The path at which a replica states the level that its program knows, as a number. An older program has no such path.
     */
    public static final String PATH = "/internal/feature-level";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private final Supplier<Membership> membership;
    private final Optional<Tls> tls;

    /** The first client of a process reads all certificates that Java trusts, so it is made when it is first needed. */
    private @Nullable HttpClient http;

    FeatureLevels(Supplier<Membership> membership, Optional<Tls> tls) {
        this.membership = membership;
        this.tls = tls;
    }

    /** The client for calls between replicas. */
    public static HttpClient client(Optional<Tls> tls, Duration connectTimeout) {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(connectTimeout);
        tls.ifPresent(own -> client.sslContext(own.context()));
        return client.build();
    }

    private synchronized HttpClient http() {
        if (http == null) {
            http = client(tls, ANSWER_MAX);
        }
        return http;
    }

    /** This program's answer at {@link #PATH}. */
    public static String own() {
        return String.valueOf(EntryCodec.FEATURE_LEVEL_MAX);
    }

    /**
     * Raises the cell to the level when all replicas know it. Otherwise fails with a problem that names one that does not.
     */
    CompletableFuture<Void> raise(int level, Commands commands) {
        return allKnow(level)
                .thenCompose(known -> commands.done(Lane.OPERATORS, new Command.RaiseFeatureLevel(level)))
                .thenAccept(raised -> {});
    }

    /** Raises the cell to the level if it is below. Every command of a newer level waits for this. */
    CompletableFuture<Void> need(int level, Replica replica, Commands commands) {
        return replica.read(CellView::featureLevel) >= level
                ? CompletableFuture.completedFuture(null)
                : raise(level, commands);
    }

    /**
     * Completes when all replicas know the level, within the request of the calling code. Fails with a problem that names one that
     * does not, or that does not answer.
     */
    CompletableFuture<Void> allKnow(int level) {
        List<CompletableFuture<Void>> asked = membership.get().others().stream()
                .map(other -> ask(other).thenAccept(said -> check(other, said, level)))
                .toList();
        return Caller.carry(CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)));
    }

    /** The newest level that each replica's program knows, by the replica's name; empty if it does not answer. */
    CompletableFuture<SortedMap<String, Optional<Integer>>> known() {
        SortedMap<String, CompletableFuture<Optional<Integer>>> asked = new TreeMap<>();
        Membership now = membership.get();
        asked.put(now.self(), CompletableFuture.completedFuture(Optional.of(EntryCodec.FEATURE_LEVEL_MAX)));
        now.others().forEach(other -> asked.put(other.name(), ask(other)));
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    SortedMap<String, Optional<Integer>> known = new TreeMap<>();
                    asked.forEach((name, level) -> known.put(name, level.join()));
                    return known;
                });
    }

    /** The level that another replica's program knows; empty if it does not answer in time. */
    private CompletableFuture<Optional<Integer>> ask(Member other) {
        HttpRequest request = HttpRequest.newBuilder(other.address().resolve(PATH))
                .timeout(ANSWER_MAX)
                .build();
        return http().sendAsync(request, BodyHandlers.ofString())
                .thenApply(FeatureLevels::read)
                .exceptionally(silent -> Optional.empty());
    }

    private static Optional<Integer> read(HttpResponse<String> answer) {
        return answer.statusCode() == 200 ? Optional.of(Integer.valueOf(answer.body())) : Optional.empty();
    }

    private static void check(Member other, Optional<Integer> said, int level) {
        if (said.isEmpty()) {
            throw refused("replica %s does not say whether it knows feature level %d".formatted(other.name(), level));
        }
        if (said.get() < level) {
            throw refused(
                    "replica %s knows feature level %d, and this needs %d".formatted(other.name(), said.get(), level));
        }
    }

    private static Problem refused(String detail) {
        return Problem.conflict(detail)
                .withHint("start every replica with a program that knows the level, then ask again");
    }
}
