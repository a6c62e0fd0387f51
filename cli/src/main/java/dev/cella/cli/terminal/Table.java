package dev.cella.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows under fixed column names, each column as wide as its widest cell and two blanks apart. A column whose name starts
 * with {@code >} is numbers, set to the right.
 */
public final class Table {
    private static final String NUMBERS = ">";
    private static final String NOTHING = "-";

    private final List<Boolean> right = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... columns) {
        List<String> names = new ArrayList<>();
        for (String column : columns) {
            boolean numbers = column.startsWith(NUMBERS);
            right.add(numbers);
            names.add(numbers ? column.substring(NUMBERS.length()) : column);
        }
        rows.add(names);
    }

    /** Adds a row; an empty cell is shown as a dash, so that columns can be told apart by blanks. */
    public void row(Object... cells) {
        if (cells.length != right.size()) {
            throw new IllegalArgumentException(
                    "a row of " + cells.length + " cells in a table of " + right.size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            String text = cell.toString();
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

    public void print(Terminal terminal, String indent) {
        int[] widths = widths();
        for (List<String> row : rows) {
            terminal.print((indent + line(row, widths)).stripTrailing());
        }
    }

    /** The same as it is or, where that is wider, with a line for each column: for a narrow terminal. */
    public void printWithin(int columns, Terminal terminal) {
        if (IntStream.of(widths()).map(width -> width + 2).sum() - 2 <= columns) {
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

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            String padding = " ".repeat(widths[column] - cell.length());
            line.append(right.get(column) ? padding + cell : cell + padding).append("  ");
        }
        return line.toString();
    }
}
