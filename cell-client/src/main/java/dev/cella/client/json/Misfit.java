package dev.cella.client.json;

/** A scalar does not match its field. The reader catches it and adds the place. */
final class Misfit extends Exception {
    private static final long serialVersionUID = 1L;

    private final String message;

    Misfit(String message) {
        super(message, null, false, false);
        this.message = message;
    }

    String message() {
        return message;
    }
}
