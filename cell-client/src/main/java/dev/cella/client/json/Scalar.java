package dev.cella.client.json;

/**
 * One value without parts, as it stands in the text.
 *
 * @param kind what the text says it is
 * @param text as written, without the quotes
 * @param typed whether quotes tell text from numbers here: they do in JSON, neither in YAML nor in a query
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

    /** A value of a query or an address, which is only ever text. */
    static Scalar ofParameter(String text) {
        return new Scalar(Kind.TEXT, text, false);
    }

    /** How a message shows it: short, and in quotes where it is text. */
    String shown() {
        String shortened = text.length() > 40 ? text.substring(0, 40) + "..." : text;
        return kind == Kind.TEXT ? '"' + shortened + '"' : shortened;
    }
}
