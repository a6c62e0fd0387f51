package dev.cella.cli.bench;

import picocli.CommandLine.Command;

/** {@code cella bench}: nothing by itself, the door to its subcommands. */
@Command(
        name = "bench",
        header = "Measures parts of Cella on this machine.",
        footer = {"", "Example:", "  cella bench commit --seconds 5"})
public final class BenchCommand {}
