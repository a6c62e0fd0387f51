package dev.cella.cli.terminal;

import com.google.protobuf.Message;
import dev.cella.client.json.JsonCodec;
import dev.cella.simulator.experiment.DataText;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How a command prints its answer: as a table for people, or as the message itself for programs. */
public final class OutputOption {
    /** The formats, in lower case on the command line. */
    public enum Format {
        TABLE,
        WIDE,
        NAME,
        JSON,
        YAML;

        public static Format parse(String typed) {
            for (Format format : values()) {
                if (format.name().equalsIgnoreCase(typed)) {
                    return format;
                }
            }
            throw new TypeConversionException("'" + typed + "' is not one of table, wide, name, json, yaml");
        }
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, wide (more columns), name (one a line), json or yaml (default: table)")
    private Format format = Format.TABLE;

    public boolean isTable() {
        return format == Format.TABLE || format == Format.WIDE;
    }

    /** Returns whether tables show all of their columns. */
    public boolean isWide() {
        return format == Format.WIDE;
    }

    /** Prints the answer. The table is only made if it is needed. */
    public void print(Terminal terminal, Message answer, Runnable table) {
        switch (format) {
            case TABLE, WIDE -> table.run();
            case NAME -> RowNames.of(answer).forEach(terminal::print);
            case JSON -> terminal.print(new JsonCodec().writePretty(answer));
            case YAML -> terminal.print(new JsonCodec().writeYaml(answer).stripTrailing());
        }
    }

    /** Refuses {@code -o name} before the work for an answer that has no names. */
    public void refuseNames() {
        if (format == Format.NAME) {
            throw RowNames.none();
        }
    }

    /** The same for an answer that is no message of the wire contract: maps, lists, numbers and text. */
    public void print(Terminal terminal, Supplier<Map<String, Object>> answer, Runnable table) {
        switch (format) {
            case TABLE, WIDE -> table.run();
            case NAME -> throw RowNames.none();
            case JSON -> terminal.print(DataText.json(answer.get()));
            case YAML -> terminal.print(DataText.yaml(answer.get()));
        }
    }
}
