package dev.cella.state.web.feed;

import java.util.Optional;

/**
 * One row after a change, made once for all readers of the feed, with the values that they filter on.
 *
 * @param belonged what the row belonged to before the change, if it existed
 * @param row the image that the matching GET shows; empty if the row is gone
 */
record ChangedRow(Kind kind, String name, Belonging belongs, Optional<Belonging> belonged, Optional<RowImage> row) {
    /** The table of a row. */
    enum Kind {
        MACHINE,
        JOB,
        TASK,
        SESSION
    }

    /** The things that a row belongs to. */
    record Belonging(Optional<String> machine, Optional<String> scheduler, Optional<String> job) {
        static Belonging toMachine(String machine) {
            return new Belonging(Optional.of(machine), Optional.empty(), Optional.empty());
        }

        static Belonging toScheduler(String scheduler) {
            return new Belonging(Optional.empty(), Optional.of(scheduler), Optional.empty());
        }

        static Belonging toJob(String job, String scheduler) {
            return new Belonging(Optional.empty(), Optional.of(scheduler), Optional.of(job));
        }
    }

    /** A row that exists. */
    static ChangedRow of(Kind kind, String name, Belonging belongs, RowImage row) {
        return new ChangedRow(kind, name, belongs, Optional.empty(), Optional.of(row));
    }

    /** The same row as gone, for a reader whose filter no longer shows it. */
    ChangedRow gone() {
        return new ChangedRow(kind, name, belongs, belonged, Optional.empty());
    }

    /** The same row after it belonged to that. */
    ChangedRow since(Optional<Belonging> before) {
        return new ChangedRow(kind, name, belongs, before, row);
    }

    /** Roughly its size in memory. */
    long weight() {
        return 200 + row.map(RowImage::weight).orElse(0L);
    }
}
