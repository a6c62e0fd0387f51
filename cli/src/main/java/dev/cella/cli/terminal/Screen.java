package dev.cella.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What standard output is: a terminal of so many columns, on which lines may be coloured and drawn again, or a pipe.
 *
 * @param isTerminal whether a person looks at it
 * @param isColoured whether it takes colours: not in a pipe, not where NO_COLOR is set or the terminal is a dumb one
 * @param columns how wide it is
 */
public record Screen(boolean isTerminal, boolean isColoured, int columns) {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final int COLUMNS_DEFAULT = 100;
    private static final String ESCAPE = "\u001b[";
    private static final String PLAIN = ESCAPE + "0m";

    /** How a piece of text is to stand out. */
    public enum Style {
        BOLD("1"),
        FAINT("2"),
        RED("31"),
        YELLOW("33"),
        GREEN("32");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    public static Screen of(Environment environment) {
        boolean terminal = isOutputATerminal();
        boolean dumb = environment.variable("TERM").orElse("dumb").equals("dumb");
        boolean coloured = terminal && !dumb && environment.variable("NO_COLOR").isEmpty();
        return new Screen(terminal && !dumb, coloured, columns(environment));
    }

    /** The JDK's own console says yes also in a pipe since 22, and 17 is too old to ask it. Elsewhere: as in a pipe. */
    private static boolean isOutputATerminal() {
        try {
            String output = Files.readSymbolicLink(STANDARD_OUTPUT).toString();
            return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty") || output.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException notLinux) {
            return false;
        }
    }

    private static int columns(Environment environment) {
        return environment
                .variable("COLUMNS")
                .filter(text -> text.matches("[1-9]\\d{0,3}"))
                .map(Integer::parseInt)
                .orElse(COLUMNS_DEFAULT);
    }

    public String styled(Style style, String text) {
        return isColoured ? ESCAPE + style.code + "m" + text + PLAIN : text;
    }

    /** What clears the screen and goes to its upper left corner; nothing in a pipe. */
    public String cleared() {
        return isTerminal ? ESCAPE + "H" + ESCAPE + "J" : "";
    }
}
