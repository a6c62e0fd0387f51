package dev.cella.cli;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table of a page, row by row. */
final class MarkdownTable {
    private final StringBuilder text = new StringBuilder();

    MarkdownTable(String... heads) {
        row(heads);
        text.append("|---".repeat(heads.length)).append("|\n");
    }

    void row(String... cells) {
        text.append(Stream.of(cells)
                .map(cell -> cell.replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    /** The table with an empty line behind it. */
    @Override
    public String toString() {
        return text + "\n";
    }
}
