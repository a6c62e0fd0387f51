package dev.cella.cli.simulate;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.simulator.files.FigureFolder;

/** The folder of {@code --out}, which is made before the runs: a fault in it is reported at once, not after minutes. */
final class OutFolder {
    private OutFolder() {}

    static FigureFolder prepared(Terminal terminal, String out) {
        FigureFolder folder = new FigureFolder(terminal.environment().path(out));
        folder.prepare().ifPresent(fault -> {
            throw CommandFailure.failed(out + " " + fault, "--out takes a folder that can be written");
        });
        return folder;
    }
}
