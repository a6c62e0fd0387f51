package dev.cella.client.json;

/** Says why a scalar is not what its field asks for; never leaves the reader, which adds the place. */
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
