package dev.cella.transactions.model;

/** The name that an operator gave a cell when it was founded; a label, its identity is the {@link Incarnation}. */
public record CellName(String text) {
    public CellName {
        Labels.checkName("cell name", text);
    }

    @Override
    public String toString() {
        return text;
    }
}
