package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.apollo.ApolloMemory.SentTasks;
import dev.cella.scheduling.JobKey;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that were sent, by job, in the order in which the jobs came. Immutable.
 *
 * <h2>The cost of a change</h2>
 *
 * <p>Each turn changes what is known of one job, and to copy what is known of all jobs would cost more than the rest of the turn.
 * So a changed map shares a map with the former one, and has beside it the jobs that were changed since. When these are many,
 * both become one map.
 */
final class SentByJob extends AbstractMap<JobKey, SentTasks> {
    static final SentByJob NOTHING = new SentByJob(Map.of(), Map.of());
    private static final int CHANGED_MAX = 500;

    private final Map<JobKey, SentTasks> shared;
    private final Map<JobKey, SentTasks> changed;

    private SentByJob(Map<JobKey, SentTasks> shared, Map<JobKey, SentTasks> changed) {
        this.shared = shared;
        this.changed = changed;
    }

    /** The same as the map has now, in its order. */
    static SentByJob of(Map<JobKey, SentTasks> jobs) {
        return new SentByJob(new LinkedHashMap<>(jobs), Map.of());
    }

    /** The same with that of the job instead of what was known of it. A job that is new comes last. */
    SentByJob with(JobKey job, SentTasks sent) {
        Map<JobKey, SentTasks> more = new LinkedHashMap<>(changed);
        more.put(job, sent);
        SentByJob all = new SentByJob(shared, more);
        return more.size() <= CHANGED_MAX ? all : of(all);
    }

    @Override
    public @Nullable SentTasks get(Object job) {
        SentTasks sent = changed.get(job);
        return sent == null ? shared.get(job) : sent;
    }

    @Override
    public boolean containsKey(Object job) {
        return get(job) != null;
    }

    @Override
    public Set<Entry<JobKey, SentTasks>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<JobKey, SentTasks>> iterator() {
                return Stream.concat(shared.keySet().stream(), added())
                        .map(job -> Map.entry(job, Objects.requireNonNull(get(job))))
                        .iterator();
            }

            @Override
            public int size() {
                return shared.size() + (int) added().count();
            }
        };
    }

    private Stream<JobKey> added() {
        return changed.keySet().stream().filter(job -> !shared.containsKey(job));
    }
}
