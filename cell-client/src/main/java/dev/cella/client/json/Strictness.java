package dev.cella.client.json;

/** How strict a reader is. */
enum Strictness {
    /** Requests of people and programs: everything must be understood. */
    REQUEST,
    /** Answers of a cell: a newer cell may send more than its reader knows, and the reader skips that. */
    ANSWER
}
