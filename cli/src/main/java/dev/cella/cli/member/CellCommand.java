package dev.cella.cli.member;

import picocli.CommandLine.Command;

/** {@code cella cell}: nothing by itself, the door to its subcommands. */
@Command(
        name = "cell",
        header = "Shows and changes the replicas that keep the cell.",
        footer = {"", "Example:", "  cella cell members"})
public final class CellCommand {}
