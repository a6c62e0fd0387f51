package dev.cella.cli.pool;

import picocli.CommandLine.Command;

/** {@code cella pool}: nothing by itself, the door to its subcommands. */
@Command(
        name = "pool",
        header = "Shows the pools, and sets their weights, minima and limits.",
        footer = {"", "Example:", "  cella pool set research --weight 2 --limit cpuMilli=16000"})
public final class PoolCommand {}
