package dev.cella.client.json;

import org.jspecify.annotations.Nullable;

/** A place inside a message, from the root down. Its text is made only on demand. */
final class Path {
    static final Path ROOT = new Path(null, "");

    private final @Nullable Path parent;
    private final String step;

    private Path(@Nullable Path parent, String step) {
        this.parent = parent;
        this.step = step;
    }

    Path field(String name) {
        return new Path(this, parent == null ? name : "." + name);
    }

    Path element(int index) {
        return new Path(this, "[" + index + "]");
    }

    @Override
    public String toString() {
        return parent == null ? step : parent + step;
    }
}
