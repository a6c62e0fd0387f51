package dev.cella.state.web.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.Message;
import dev.cella.client.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps the rest of lists after their first page, so that all pages show one version.
 *
 * <p>The naive way, a place in the live table, would show an inconsistent list: one row twice, another not at all. So a list
 * is of one version as a whole, and its rest is kept for a minute after the last read, up to a bound over all lists. After that a
 * page is gone (410), and the reader starts again. Any thread may use it.
 */
final class KeptPages {
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 1_000;

    /** A row may have 1 MiB, as a job with many labels. */
    private static final long BYTES_MAX = 8 << 20;

    private static final int ROWS_KEPT_MAX = 2 * Listing.ROWS_MAX;
    private static final Duration KEPT = Duration.ofMinutes(1);

    /** The fields of a request that do not determine which rows are in the list. */
    private static final Set<String> NOT_OF_THE_LIST =
            Set.of("page_token", "limit", "min_version", "changed_after", "wait", "linearizable");

    /**
     * @param asked the fields of the request that determine the rows
     */
    private record Kept(Message asked, Shown<? extends Listing<?>> list) {}

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

    <M extends Message> Page<M> first(Message request, Shown<Listing<M>> list, int limit) {
        List<M> rows = list.value().page(0, limit, BYTES_MAX);
        if (rows.size() == list.value().size() && !list.value().isCut()) {
            return new Page<>(list.version(), rows, Optional.empty());
        }
        String id = UUID.randomUUID().toString();
        lists.put(id, new Kept(asked(request), list));
        return page(id, list, 0, rows);
    }

    /** The page of that token. If the request repeats other fields, they must be the same. */
    <M extends Message> Page<M> next(Message request, String token, int limit) {
        int dot = token.indexOf('.');
        Kept kept = dot < 0 ? null : lists.getIfPresent(token.substring(0, dot));
        if (kept == null
                || !isOfOneCall(kept.asked(), request)
                || !token.substring(dot + 1).matches("\\d{1,9}")) {
            throw Problem.gone("The list that this page belongs to is not kept any more")
                    .withHint("ask for the first page again");
        }
        refuseOther(kept.asked(), asked(request));
        @SuppressWarnings("unchecked") // a call has rows of one class
        Shown<Listing<M>> list = (Shown<Listing<M>>) kept.list();
        int from = Integer.parseInt(token.substring(dot + 1));
        return page(token.substring(0, dot), list, from, list.value().page(from, limit, BYTES_MAX));
    }

    private static boolean isOfOneCall(Message kept, Message request) {
        return kept.getDescriptorForType().equals(request.getDescriptorForType());
    }

    private static void refuseOther(Message kept, Message asked) {
        boolean saysNothing = asked.equals(asked.getDefaultInstanceForType());
        if (!saysNothing && !asked.equals(kept)) {
            throw Requests.bad(
                    "pageToken",
                    "belongs to a list with other parameters; repeat them for the next page, or leave out the token for another list");
        }
    }

    private static Message asked(Message request) {
        Message.Builder asked = request.toBuilder();
        request.getAllFields().keySet().stream()
                .filter(field -> NOT_OF_THE_LIST.contains(field.getName()))
                .forEach(asked::clearField);
        return asked.build();
    }

    private static <M extends Message> Page<M> page(String id, Shown<Listing<M>> list, int from, List<M> rows) {
        if (from >= list.value().size()) {
            throw Problem.gone("The list has more rows than are kept")
                    .withHint("ask for less of it: one job, one machine, some states");
        }
        int end = from + rows.size();
        boolean more = end < list.value().size() || list.value().isCut();
        return new Page<>(list.version(), rows, more ? Optional.of(id + "." + end) : Optional.empty());
    }
}
