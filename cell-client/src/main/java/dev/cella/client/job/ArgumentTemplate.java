package dev.cella.client.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One argument of a task's command, with its placeholders: <code>${index}</code> is filled in, <code>$${</code> is a literal
 * <code>${</code>, and a dollar sign before anything else is a dollar sign. There is no shell and no other syntax.
 *
 * <p>The server checks it at the submission and the node agent fills it in; both use this class.
 */
public final class ArgumentTemplate {
    /** The placeholders whose values are known when a task starts. */
    public static final List<String> KNOWN =
            List.of("index", "job", "group", "machine", "attempt", ArgumentTemplate.HOSTS_FILE);

    /** The path of a file that lists where the tasks of the group run. */
    public static final String HOSTS_FILE = "hostsFile";

    private static final String OPEN = "${";

    /** A literal opening, or a placeholder that may lack its end. */
    private static final Pattern MARK = Pattern.compile("(?<literal>\\$\\$\\{)|\\$\\{(?<name>[^}]*)(?<end>}?)");

    /** A part of the argument: a placeholder's name, or literal text. */
    private record Piece(boolean placeholder, String text) {}

    private final List<Piece> pieces;
    private final Optional<String> unclosed;

    private ArgumentTemplate(List<Piece> pieces, Optional<String> unclosed) {
        this.pieces = List.copyOf(pieces);
        this.unclosed = unclosed;
    }

    public static ArgumentTemplate parse(String argument) {
        List<Piece> pieces = new ArrayList<>();
        Optional<String> unclosed = Optional.empty();
        Matcher marks = MARK.matcher(argument);
        int from = 0;
        while (marks.find()) {
            pieces.add(new Piece(false, argument.substring(from, marks.start())));
            if (marks.group("literal") != null) {
                pieces.add(new Piece(false, OPEN));
            } else if (marks.group("end").isEmpty()) {
                unclosed = Optional.of(marks.group());
            } else {
                pieces.add(new Piece(true, marks.group("name")));
            }
            from = marks.end();
        }
        pieces.add(new Piece(false, argument.substring(from)));
        return new ArgumentTemplate(pieces, unclosed);
    }

    /** The names of the placeholders, in order. */
    public List<String> placeholders() {
        return pieces.stream().filter(Piece::placeholder).map(Piece::text).toList();
    }

    /** The rest of the argument from an unclosed <code>${</code> on; empty if all are closed. */
    public Optional<String> unclosed() {
        return unclosed;
    }

    /** The argument with its placeholders replaced; each must have a value. */
    public String fill(Map<String, String> values) {
        StringBuilder filled = new StringBuilder();
        for (Piece piece : pieces) {
            filled.append(piece.placeholder() ? value(piece.text(), values) : piece.text());
        }
        return filled.toString();
    }

    private static String value(String placeholder, Map<String, String> values) {
        String value = values.get(placeholder);
        if (value == null) {
            throw new IllegalArgumentException("nothing to fill in for ${" + placeholder + "}");
        }
        return value;
    }
}
