package dev.cella.cli.federation;

import picocli.CommandLine.Command;

/** {@code cella federation}: nothing by itself, the door to its subcommand. */
@Command(
        name = "federation",
        header = "Shows the cells that schedulers plan on together.",
        footer = {"", "Example:", "  cella federation status"})
public final class FederationCommand {}
