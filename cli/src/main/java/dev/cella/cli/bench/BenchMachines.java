package dev.cella.cli.bench;

import picocli.CommandLine.Option;

/** The size of a cell that is filled with live tasks before anything is measured. */
final class BenchMachines {
    @Option(
            names = "--machines",
            paramLabel = "N",
            defaultValue = "5000",
            description = "machines of the cell (default: ${DEFAULT-VALUE})")
    private int machines;

    int number() {
        return machines;
    }
}
