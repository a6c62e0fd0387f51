package dev.cella.transactions.model;

/** The permanent identity of one incarnation of a machine: the cell version at which it was registered. */
public record MachineId(long version) {
    public MachineId {
        if (version <= 0) {
            throw new IllegalArgumentException("a machine is identified by a cell version, not by " + version);
        }
    }

    @Override
    public String toString() {
        return Long.toString(version);
    }
}
