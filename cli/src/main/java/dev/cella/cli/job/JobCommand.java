package dev.cella.cli.job;

import picocli.CommandLine.Command;

/** {@code cella job}: nothing by itself, the door to its subcommands. */
@Command(
        name = "job",
        header = "Submits jobs and shows their results.",
        footer = {"", "Example:", "  cella job run examples/hello.yaml --wait"})
public final class JobCommand {}
