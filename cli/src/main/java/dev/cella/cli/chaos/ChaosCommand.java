package dev.cella.cli.chaos;

import picocli.CommandLine.Command;

/** {@code cella chaos}: nothing by itself, the door to its subcommands. */
@Command(
        name = "chaos",
        header = "Breaks a cell on purpose, and checks what it says it did.",
        footer = {
            "",
            "Examples:",
            "  cella chaos list",
            "  cella chaos run leader-loss --out report",
            "  cella chaos run everything --seeds 1000",
            "  cella chaos inject replica-pause --on leader --for 10s",
            "  cella chaos run swarm --plugin my.jar --scheduler mine --seeds 100"
        })
public final class ChaosCommand {}
