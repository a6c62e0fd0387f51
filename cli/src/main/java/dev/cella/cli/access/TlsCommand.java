package dev.cella.cli.access;

import picocli.CommandLine.Command;

/** {@code cella tls}: nothing by itself, the door to its subcommand. */
@Command(
        name = "tls",
        header = "Makes the certificates of a cell.",
        footer = {"", "Example:", "  cella tls init /etc/cella/tls --host 10.0.0.1 --host 10.0.0.2"})
public final class TlsCommand {}
