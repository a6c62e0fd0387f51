package dev.cella.cli.terminal;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The terminal behind standard output, with its size and its colours, or a pipe.
 *
 * @param isTerminal whether it is a terminal
 * @param isColoured whether to use colours: not in a pipe, with NO_COLOR set, or on a dumb terminal
 * @param columns its width; unlimited for a pipe, unless COLUMNS is set
 * @param lines its height
 */
public record Screen(boolean isTerminal, boolean isColoured, int columns, int lines) {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final int ANY = 10_000;
    private static final int HANG_PART = 4;
    private static final String ESCAPE = "\u001b[";
    private static final String PLAIN = ESCAPE + "0m";
    private static final String NUMBER = "[1-9]\\d{0,3}";

    /** A pipe: takes any line, and no colour. */
    static final Screen PLAIN_PIPE = new Screen(false, false, ANY, ANY);

    /** The emphasis of a text. */
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
        return of(environment, STANDARD_OUTPUT);
    }

    /** The screen behind standard error. */
    public static Screen ofMessages(Environment environment) {
        return of(environment, STANDARD_ERROR);
    }

    private static Screen of(Environment environment, Path stream) {
        Optional<Path> device = device(stream);
        boolean dumb = environment.variable("TERM").orElse("dumb").equals("dumb");
        boolean terminal = device.isPresent() && !dumb;
        int[] size = device.map(Screen::size).orElse(new int[] {ANY, ANY});
        return new Screen(
                terminal,
                terminal && environment.variable("NO_COLOR").isEmpty(),
                number(environment, "COLUMNS").orElse(size[1]),
                number(environment, "LINES").orElse(size[0]));
    }

    /**
     * Since version 22 the JDK's console answers yes even in a pipe, and version 17 cannot be asked. Elsewhere: as in a pipe.
     */
    private static Optional<Path> device(Path stream) {
        try {
            Path output = Files.readSymbolicLink(stream);
            String name = output.toString();
            boolean terminal =
                    name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || name.equals("/dev/console");
            return terminal ? Optional.of(output) : Optional.empty();
        } catch (IOException | UnsupportedOperationException notLinux) {
            return Optional.empty();
        }
    }

    /** Lines and columns. The JDK cannot say, and a shell keeps COLUMNS to itself; {@code stty} asks the terminal. */
    private static int[] size(Path device) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(device.toFile())
                    .redirectError(Redirect.DISCARD)
                    .start();
            String[] words = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ", -1);
            return new int[] {known(words[0]), known(words[words.length - 1])};
        } catch (IOException noSuchProgram) {
            return new int[] {ANY, ANY};
        }
    }

    /** A terminal without a known size reports 0. */
    private static int known(String text) {
        return text.matches(NUMBER) ? Integer.parseInt(text) : ANY;
    }

    private static Optional<Integer> number(Environment environment, String variable) {
        return environment
                .variable(variable)
                .filter(text -> text.matches(NUMBER))
                .map(Integer::parseInt);
    }

    /**
     * Breaks the text between words into lines that fit. Continuation lines are indented by {@code hang}, at most a quarter of
     * the width. A word that is longer than a line stays whole.
     */
    public List<String> wrapped(String text, int hang) {
        if (text.length() <= columns) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        String rest = indented(text, text.length() - text.stripLeading().length());
        for (int end = breakOf(rest); end > 0; end = breakOf(rest)) {
            lines.add(rest.substring(0, end).stripTrailing());
            rest = indented(rest.substring(end), hang);
        }
        lines.add(rest);
        return lines;
    }

    private String indented(String text, int blanks) {
        return " ".repeat(Math.min(blanks, columns / HANG_PART)) + text.strip();
    }

    /** The blank at which a long line is broken; 0 if it fits or cannot be broken. */
    private int breakOf(String line) {
        int begin = line.length() - line.stripLeading().length();
        int last = line.lastIndexOf(' ', columns);
        return line.length() <= columns ? 0 : last > begin ? last : Math.max(0, line.indexOf(' ', begin));
    }

    /** Cuts lines and table columns that do not fit, for a screen that is drawn again and again. */
    public List<String> cut(List<String> text) {
        return text.stream()
                .limit(Math.max(1, lines - 1))
                .map(line -> line.length() <= columns ? line : line.substring(0, cutOf(line)))
                .toList();
    }

    /** Columns are two blanks apart; a cut number would be another number. */
    private int cutOf(String line) {
        int gap = line.lastIndexOf("  ", columns);
        return gap > 0 ? line.substring(0, gap).stripTrailing().length() : columns;
    }

    public String styled(Style style, String text) {
        return isColoured ? ESCAPE + style.code + "m" + text + PLAIN : text;
    }

    /** The sequence that clears the screen and moves to its upper left corner; empty in a pipe. */
    public String cleared() {
        return isTerminal ? ESCAPE + "H" + ESCAPE + "J" : "";
    }
}
