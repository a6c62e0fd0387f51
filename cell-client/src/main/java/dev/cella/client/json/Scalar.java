package dev.cella.client.json;

/**
 * One value without parts, as it is written in the text.
 *
 * @param kind its kind in the text
 * @param text as written, without the quotes
 * @param typed whether quotes distinguish text from numbers: they do in JSON, but not in YAML or a query
 */
record Scalar(Kind kind, String text, boolean typed) {
    enum Kind {
        TEXT("text"),
        NUMBER("a number"),
        BOOLEAN("true or false"),
        NULL("null");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** A value of a query or an address, which is always text. */
    static Scalar ofParameter(String text) {
        return new Scalar(Kind.TEXT, text, false);
    }

    /** The form in a message: short, and in quotes if it is text. */
    String shown() {
        String shortened = text.length() > 40 ? text.substring(0, 40) + "..." : text;
        return kind == Kind.TEXT ? '"' + shortened + '"' : shortened;
    }
}
