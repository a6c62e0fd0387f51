package dev.cella.cli.simulate;

import picocli.CommandLine.Command;

/** {@code cella simulate}: nothing by itself, the door to its subcommands. */
@Command(
        name = "simulate",
        header = "Tries scheduling architectures in virtual time: a week of a cell in seconds.",
        footer = {
            "",
            "Examples:",
            "  cella simulate list",
            "  cella simulate run --architecture replicated --cell A --days 1",
            "  cella simulate figure figure-6.5 --days 1 --seeds 1 --out figures"
        })
public final class SimulateCommand {}
