package dev.cella.client.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** A text with a message, and its format. */
public record Source(String text, Format format) {
    /** The format of a text. YAML has no types: a value that looks like a number is text if its field is text. */
    public enum Format {
        JSON,
        YAML
    }

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final Pattern JSON_OBJECT = Pattern.compile("\\s*\\{\\s*[\"}]");

    public Source {
        Objects.requireNonNull(text);
        Objects.requireNonNull(format);
    }

    public static Source json(String text) {
        return new Source(text, Format.JSON);
    }

    public static Source yaml(String text) {
        return new Source(text, Format.YAML);
    }

    /** The body of a request; an empty one is an empty object. */
    public static Source json(byte[] body) {
        return json(decode(body));
    }

    /** A user's file: JSON if its name or its first characters say so, otherwise YAML. */
    public static Source file(String name, byte[] content) {
        String text = decode(content);
        boolean json = name.toLowerCase(Locale.ROOT).endsWith(".json")
                || JSON_OBJECT.matcher(text).lookingAt();
        return new Source(text, json ? Format.JSON : Format.YAML);
    }

    private static String decode(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException notText) {
            throw new BadInput(List.of(Fault.of("", "is not text in UTF-8")));
        }
    }
}
