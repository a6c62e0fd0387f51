package dev.cella.client.json;

/** How much a reader forgives. */
enum Strictness {
    /** What people and programs ask of a cell: everything must be understood. */
    REQUEST,
    /** What a cell answers: one that is newer may say more than its reader knows, and that is skipped. */
    ANSWER
}
