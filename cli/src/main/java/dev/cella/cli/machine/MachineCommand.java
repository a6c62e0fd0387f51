package dev.cella.cli.machine;

import picocli.CommandLine.Command;

/** {@code cella machine}: nothing by itself, the door to its subcommands. */
@Command(
        name = "machine",
        header = "Shows the machines of the cell, drains them, removes them.",
        footer = {"", "Example:", "  cella machine list"})
public final class MachineCommand {}
