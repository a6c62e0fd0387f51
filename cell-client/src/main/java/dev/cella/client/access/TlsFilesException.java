package dev.cella.client.access;

/** A certificate or key file is missing or unusable. The message and the hint are for a person. */
public final class TlsFilesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String hint;

    TlsFilesException(String message, String hint) {
        super(message);
        this.hint = hint;
    }

    public String hint() {
        return hint;
    }
}
