package dev.cella.transactions.model;

/**
 * The permanent identity of one session of a scheduler's instance: the cell version of the command that opened it.
 */
public record SessionId(long version) {
    public SessionId {
        if (version <= 0) {
            throw new IllegalArgumentException("a session is identified by a cell version, not by " + version);
        }
    }

    @Override
    public String toString() {
        return Long.toString(version);
    }
}
