package dev.cella.state.web.feed;

import java.util.Optional;

/**
 * One row as it is after a change, made once for all readers of the feed, with what they filter on.
 *
 * @param belonged to what it belonged before the change, where it was there
 * @param row what the matching GET shows; nothing where the row is gone
 */
record ChangedRow(Kind kind, String name, Belonging belongs, Optional<Belonging> belonged, Optional<RowImage> row) {
    /** Of which table it is a row. */
    enum Kind {
        MACHINE,
        JOB,
        TASK,
        SESSION
    }

    /** To what a row belongs. */
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

    /** For a reader whose filter showed the row and does not any more. */
    ChangedRow gone() {
        return new ChangedRow(kind, name, belongs, belonged, Optional.empty());
    }

    /** About what it takes in memory. */
    long weight() {
        return 200 + row.map(RowImage::weight).orElse(0L);
    }
}
