package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Digests;

/** One digest per table, so that a copy that keeps only some tables can check those. */
public record CellDigests(
        long head, long machines, long jobs, long tasks, long sessions, long policies, long holds, long queues) {
    public static CellDigests of(Tables tables) {
        long head = Digests.mix(tables.version(), tables.cellTimeMillis());
        head = Digests.mix(Digests.mix(head, tables.incarnation().number()), tables.featureLevel());
        return new CellDigests(
                Digests.mix(head, tables.dimensions().size()),
                tables.machines.digest.value(),
                tables.jobs.digest.value(),
                tables.tasks.digest.value(),
                tables.sessions.digest.value(),
                tables.policies.digest.value(),
                tables.holds.digest.value(),
                tables.queues.digest.value());
    }

    /** All digests in one number. Empty queues add nothing, as in a copy that does not know queues. */
    public long together() {
        long digest = Digests.mix(head, machines);
        digest = Digests.mix(digest, jobs);
        digest = Digests.mix(Digests.mix(digest, tasks), sessions);
        digest = Digests.mix(Digests.mix(digest, policies), holds);
        return queues == 0 ? digest : Digests.mix(digest, queues);
    }
}
