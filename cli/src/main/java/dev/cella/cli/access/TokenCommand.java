package dev.cella.cli.access;

import picocli.CommandLine.Command;

/** {@code cella token}: nothing by itself, the door to its subcommands. */
@Command(
        name = "token",
        header = "Makes, lists and revokes the tokens of a cell.",
        footer = {"", "Example:", "  cella token create batch --scope schedule:batch"})
public final class TokenCommand {}
