package dev.cella.client.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.cella.client.json.Scalar.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The tokens of one text, JSON or YAML. An unexpected token is recorded as a fault, and its value is skipped. */
final class TokenReader {
    private static final String TEXT_TAG = "tag:yaml.org,2002:str";

    private final JsonParser parser;
    private final boolean typed;
    private final Faults faults;

    TokenReader(JsonParser parser, boolean typed, Faults faults) {
        this.parser = parser;
        this.typed = typed;
        this.faults = faults;
    }

    @Nullable
    JsonToken next() throws IOException {
        return parser.nextToken();
    }

    JsonToken current() {
        return parser.currentToken();
    }

    String name() throws IOException {
        return parser.currentName();
    }

    /** Skips the value under the current token. */
    void skip() throws IOException {
        parser.skipChildren();
    }

    Location location() {
        JsonLocation location = parser.currentTokenLocation();
        return new Location(location.getLineNr(), location.getColumnNr());
    }

    /** Returns whether the value under the current token begins as expected. If not, it is skipped. */
    boolean expect(JsonToken start, String words, Path path) throws IOException {
        if (refuseUnreadable(path)) {
            return false;
        }
        if (current() == start) {
            return true;
        }
        faults.add(path, location(), "must be " + words + ", is " + currentWords());
        skip();
        return false;
    }

    private String currentWords() throws IOException {
        return switch (current()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            default -> scalarHere().text().isEmpty() ? "empty" : scalarHere().shown();
        };
    }

    /** The scalar under the current token. If the token is no scalar, notes a fault and returns null. */
    @Nullable
    Scalar scalar(Path path) throws IOException {
        if (refuseUnreadable(path)) {
            return null;
        }
        if (current().isScalarValue()) {
            return scalarHere();
        }
        faults.add(path, location(), "must be a single value, is " + currentWords());
        skip();
        return null;
    }

    private Scalar scalarHere() throws IOException {
        Kind kind = switch (current()) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
            case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
            case VALUE_NULL -> Kind.NULL;
            default -> Kind.TEXT;
        };
        return new Scalar(kind, parser.getText(), typed);
    }

    /**
     * YAML has references, with which one line can expand to gigabytes, and tags, which can name a type to create. Jobs need
     * neither.
     */
    private boolean refuseUnreadable(Path path) throws IOException {
        if (!(parser instanceof YAMLParser yaml)) {
            return false;
        }
        String tag = yaml.getTypeId();
        if (yaml.isCurrentAlias()) {
            faults.add(path, location(), "is a reference (*" + yaml.getText() + "); write the value itself");
        } else if (tag != null && !tag.equals(TEXT_TAG)) {
            faults.add(path, location(), "has a tag (!" + tag + "); write the value without it");
        } else {
            return false;
        }
        skip();
        return true;
    }
}
