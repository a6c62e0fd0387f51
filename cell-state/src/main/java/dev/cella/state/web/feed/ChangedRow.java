package dev.cella.state.web.feed;

import java.util.Optional;

/**
 * One row as it is after a change, rendered once for all readers of the feed, with what they filter on.
 *
 * @param json what the matching GET shows; nothing where the row is gone
 */
record ChangedRow(
        Kind kind,
        String name,
        Optional<String> machine,
        Optional<String> scheduler,
        Optional<String> job,
        Optional<String> json) {
    /** Of which table it is a row. */
    enum Kind {
        MACHINE,
        JOB,
        TASK,
        SESSION
    }
}
