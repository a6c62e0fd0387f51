package dev.cella.client.access;

/** A certificate or key file that is missing or says nothing useful; the message and the hint are for a person. */
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
