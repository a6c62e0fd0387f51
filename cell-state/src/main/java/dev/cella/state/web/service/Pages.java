package dev.cella.state.web.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.Message;
import dev.cella.client.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps the rest of lists of which a first page was answered, so that all pages show one version.
 *
 * <p>The naive way, a place in the live table, would show a list that nobody ever could have seen: a row twice, another not at all.
 * So a list is taken whole when it is asked for and its rest kept for a minute after it was last read, up to a bound over all lists.
 * Beyond either a page is gone (410), and the reader begins anew. May be used from any thread.
 */
final class Pages {
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 1_000;
    private static final int ROWS_KEPT_MAX = 2 * Listing.ROWS_MAX;
    private static final Duration KEPT = Duration.ofMinutes(1);

    private record Kept(Class<?> of, Shown<? extends Listing<?>> list) {}

    /** One page, and the token for the one that follows. */
    record Page<M>(long version, List<M> rows, Optional<String> next) {}

    private final Cache<String, Kept> lists = Caffeine.newBuilder()
            .expireAfterAccess(KEPT)
            .maximumWeight(ROWS_KEPT_MAX)
            .weigher((String id, Kept kept) -> kept.list().value().size())
            .build();

    static int limit(boolean said, int limit) {
        if (said && (limit < 1 || limit > LIMIT_MAX)) {
            throw Requests.bad("limit", "must be from 1 to " + LIMIT_MAX + ", is " + limit);
        }
        return said ? limit : LIMIT_DEFAULT;
    }

    /** @param of of which call's rows it is a list */
    <M extends Message> Page<M> first(Class<M> of, Shown<Listing<M>> list, int limit) {
        if (list.value().size() <= limit && !list.value().isCut()) {
            return new Page<>(list.version(), list.value().page(0, limit), Optional.empty());
        }
        String id = UUID.randomUUID().toString();
        lists.put(id, new Kept(of, list));
        return page(id, list, 0, limit);
    }

    <M extends Message> Page<M> next(Class<M> of, String token, int limit) {
        int dot = token.indexOf('.');
        Kept kept = dot < 0 ? null : lists.getIfPresent(token.substring(0, dot));
        if (kept == null || kept.of() != of || !token.substring(dot + 1).matches("\\d{1,9}")) {
            throw Problem.gone("The list that this page belongs to is not kept any more")
                    .withHint("ask for the first page again");
        }
        @SuppressWarnings("unchecked") // first put it under this class
        Shown<Listing<M>> list = (Shown<Listing<M>>) kept.list();
        return page(token.substring(0, dot), list, Integer.parseInt(token.substring(dot + 1)), limit);
    }

    private static <M extends Message> Page<M> page(String id, Shown<Listing<M>> list, int from, int limit) {
        int size = list.value().size();
        int end = Math.min(size, from + limit);
        if (from >= size) {
            throw Problem.gone("The list has more rows than are kept")
                    .withHint("ask for less of it: one job, one machine, some states");
        }
        boolean more = end < size || list.value().isCut();
        return new Page<>(
                list.version(), list.value().page(from, limit), more ? Optional.of(id + "." + end) : Optional.empty());
    }
}
