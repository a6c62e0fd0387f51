package dev.cella.scheduler.batch;

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
 * A map in the order in which the keys came. Immutable.
 *
 * <h2>The cost of a change</h2>
 *
 * <p>Each turn changes what is known of one job or of a few machines, and to copy what is known of all would cost more than the
 * rest of the turn. So a changed map shares a map with the former one, and has beside it the entries that were changed since.
 * When these are many, both become one map.
 */
public final class SharedMap<K, V> extends AbstractMap<K, V> {
    private static final int CHANGED_MAX = 500;

    private final Map<K, V> shared;
    private final Map<K, V> changed;

    private SharedMap(Map<K, V> shared, Map<K, V> changed) {
        this.shared = shared;
        this.changed = changed;
    }

    /** The same as the map has now, in its order. */
    public static <K, V> SharedMap<K, V> of(Map<K, V> entries) {
        return new SharedMap<>(new LinkedHashMap<>(entries), Map.of());
    }

    /** The same with that value instead of the former one. A new key comes last. */
    public SharedMap<K, V> with(K key, V value) {
        return with(Map.of(key, value));
    }

    /** The same with these values instead of the former ones. New keys come last, in the order of the map. */
    public SharedMap<K, V> with(Map<K, V> values) {
        Map<K, V> more = new LinkedHashMap<>(changed);
        more.putAll(values);
        SharedMap<K, V> all = new SharedMap<>(shared, more);
        return more.size() <= CHANGED_MAX ? all : of(all);
    }

    @Override
    public @Nullable V get(Object key) {
        V value = changed.get(key);
        return value == null ? shared.get(key) : value;
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<K, V>> iterator() {
                return Stream.concat(shared.keySet().stream(), added())
                        .map(key -> Map.entry(key, Objects.requireNonNull(get(key))))
                        .iterator();
            }

            @Override
            public int size() {
                return shared.size() + (int) added().count();
            }
        };
    }

    private Stream<K> added() {
        return changed.keySet().stream().filter(key -> !shared.containsKey(key));
    }
}
