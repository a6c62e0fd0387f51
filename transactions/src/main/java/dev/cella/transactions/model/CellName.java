package dev.cella.transactions.model;

/**
 * The name that an operator gave a cell when founding it. It is a label; the {@link Incarnation} is the cell's identity.
 */
public record CellName(String text) {
    public CellName {
        Labels.checkName("cell name", text);
    }

    @Override
    public String toString() {
        return text;
    }
}
