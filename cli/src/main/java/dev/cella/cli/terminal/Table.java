package dev.cella.cli.terminal;

import dev.cella.cli.terminal.Screen.Style;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Rows under fixed column names, each column as wide as its widest cell and two blanks apart.
 *
 * <p>Signs before a column's name say more about it: {@code >} its cells are numbers, set to the right; {@code ~} it is left
 * out first where a terminal is too narrow; {@code +} it is shown in wide tables only; {@code ?} it is shown only if a row has
 * something in it. States are coloured where the terminal takes colours.
 */
public final class Table {
    private static final String NUMBERS = ">";
    private static final String MINOR = "~";
    private static final String WIDE = "+";
    private static final String RARE = "?";
    private static final String NOTHING = "-";
    private static final int GAP = 2;
    private static final int ANY = Integer.MAX_VALUE;
    private static final Set<String> STATES = Set.of("STATE", "STATUS");

    private final List<Boolean> right = new ArrayList<>();
    private final Set<Integer> minor = new HashSet<>();
    private final Set<Integer> hidden = new HashSet<>();
    private final Set<Integer> rare = new HashSet<>();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... columns) {
        this(false, columns);
    }

    /** A table that shows the columns for wide tables, or does not. */
    public Table(boolean wide, String... columns) {
        List<String> names = new ArrayList<>();
        for (String column : columns) {
            String name = column;
            if (name.startsWith(WIDE)) {
                name = name.substring(WIDE.length());
                if (!wide) {
                    hidden.add(names.size());
                }
            } else if (name.startsWith(MINOR)) {
                name = name.substring(MINOR.length());
                minor.add(names.size());
            } else if (name.startsWith(RARE)) {
                name = name.substring(RARE.length());
                rare.add(names.size());
            }
            boolean numbers = name.startsWith(NUMBERS);
            right.add(numbers);
            names.add(numbers ? name.substring(NUMBERS.length()) : name);
        }
        rows.add(names);
    }

    /**
     * Adds a row; an empty cell is shown as a dash, so that columns can be told apart by blanks. Labels and attributes may have
     * any characters: a line end would break the row, and an escape sequence could change the reader's terminal.
     */
    public void row(Object... cells) {
        if (cells.length != right.size()) {
            throw new IllegalArgumentException(
                    "a row of " + cells.length + " cells in a table of " + right.size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            String text = HarmlessText.word(cell.toString());
            row.add(text.isEmpty() ? NOTHING : text);
        }
        rows.add(row);
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    public void print(Terminal terminal) {
        print(terminal, "");
    }

    /** On a terminal that is too narrow, columns that matter less are left out; {@code -o wide} and a pipe show all. */
    public void print(Terminal terminal, String indent) {
        print(terminal, indent, Screen.of(terminal.environment()));
    }

    void print(Terminal terminal, String indent, Screen screen) {
        int[] widths = widths();
        List<Integer> columns = columns(widths, screen.isTerminal() ? screen.columns() - indent.length() : ANY);
        for (int row = 0; row < rows.size(); row++) {
            String line = indent + line(rows.get(row), widths, columns, row == 0 ? Screen.PLAIN_PIPE : screen);
            terminal.print(line.stripTrailing());
        }
    }

    /** The columns to show, without as many of the minor ones, from the right, as do not fit. */
    private List<Integer> columns(int[] widths, int room) {
        List<Integer> columns = new ArrayList<>();
        for (int column = 0; column < widths.length; column++) {
            if (!hidden.contains(column) && !(rare.contains(column) && isEmpty(column))) {
                columns.add(column);
            }
        }
        for (int column = widths.length - 1; column > 0 && width(widths, columns) > room; column--) {
            if (minor.contains(column)) {
                columns.remove((Integer) column);
            }
        }
        return columns;
    }

    private boolean isEmpty(int column) {
        return rows.stream().skip(1).allMatch(row -> row.get(column).equals(NOTHING));
    }

    private static int width(int[] widths, List<Integer> columns) {
        return columns.stream().mapToInt(column -> widths[column] + GAP).sum() - GAP;
    }

    /** The same as it is or, where that is wider, with a line for each column: for a narrow terminal. */
    public void printWithin(int columns, Terminal terminal) {
        if (IntStream.of(widths()).map(width -> width + GAP).sum() - GAP <= columns) {
            print(terminal);
        } else {
            turned().print(terminal);
        }
    }

    private Table turned() {
        List<String> heads = rows.stream().map(row -> row.get(0)).toList();
        Table turned = new Table(IntStream.range(0, heads.size())
                .mapToObj(row -> (row == 0 ? "" : NUMBERS) + heads.get(row))
                .toArray(String[]::new));
        for (int column = 1; column < right.size(); column++) {
            int of = column;
            turned.row(rows.stream().map(row -> row.get(of)).toArray());
        }
        return turned;
    }

    private int[] widths() {
        int[] widths = new int[right.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return widths;
    }

    private String line(List<String> row, int[] widths, List<Integer> columns, Screen screen) {
        StringBuilder line = new StringBuilder();
        for (int column : columns) {
            String cell = row.get(column);
            String padding = " ".repeat(widths[column] - cell.length());
            String shown = STATES.contains(rows.get(0).get(column)) ? coloured(cell, screen) : cell;
            line.append(right.get(column) ? padding + shown : shown + padding).append(" ".repeat(GAP));
        }
        return line.toString();
    }

    private static String coloured(String state, Screen screen) {
        return switch (state) {
            case "READY", "RUNNING", "FINISHED" -> screen.styled(Style.GREEN, state);
            case "FAILED", "LOST", "DOWN" -> screen.styled(Style.RED, state);
            case "PENDING", "PLACED", "STOPPING", "DRAINING", "PREEMPTED", "PAUSED" ->
                screen.styled(Style.YELLOW, state);
            default -> state;
        };
    }
}
