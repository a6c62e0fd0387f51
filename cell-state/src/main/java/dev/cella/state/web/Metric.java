package dev.cella.state.web;

/** Every metric of this server, each with a sentence. */
enum Metric {
    CELL_VERSION("cella.cell.version", "How many commands the cell has decided since it was founded."),
    CELL_LEADS("cella.cell.leads", "1 while this replica leads the cell and can decide, else 0."),
    MACHINES("cella.machines", "Machines of the cell, by status."),
    TASKS("cella.tasks", "Tasks of the cell, by the state of their newest attempt."),
    SESSIONS("cella.sessions", "Open sessions of schedulers."),
    ANSWERS("cella.answers", "Requests that were answered since the start, over HTTP and gRPC, by HTTP status.");

    private final String id;
    private final String sentence;

    Metric(String id, String sentence) {
        this.id = id;
        this.sentence = sentence;
    }

    /** As Micrometer writes it; Prometheus shows {@code _} for each dot. */
    String id() {
        return id;
    }

    String sentence() {
        return sentence;
    }
}
