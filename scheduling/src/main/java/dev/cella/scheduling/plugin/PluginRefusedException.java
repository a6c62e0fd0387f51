package dev.cella.scheduling.plugin;

/** A jar is no plug-in. The message says what is wrong and in which file, the hint says what to do. */
public final class PluginRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String hint;

    PluginRefusedException(String message, String hint) {
        super(message);
        this.hint = hint;
    }

    PluginRefusedException(String message, String hint, Throwable cause) {
        super(message, cause);
        this.hint = hint;
    }

    public String hint() {
        return hint;
    }
}
