package dev.cella.simulator.engine;

/** A run is impossible with its parameters; thrown before its first job arrives. */
public final class ImpossibleParameterException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String hint;

    public ImpossibleParameterException(String message, String hint) {
        super(message);
        this.hint = hint;
    }

    /** What to change. */
    public String hint() {
        return hint;
    }
}
