package dev.cella.transactions.model;

/** The permanent identity of a job: the cell version of the command that first submitted it. Names are labels. */
public record JobId(long version) {
    public JobId {
        check(version);
    }

    static void check(long version) {
        if (version <= 0) {
            throw new IllegalArgumentException("a job is identified by a cell version, not by " + version);
        }
    }

    @Override
    public String toString() {
        return Long.toString(version);
    }
}
