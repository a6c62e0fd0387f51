package dev.cella.cli.federation;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.FederatedCell;
import dev.cella.client.proto.Federation;
import java.util.Locale;

/** The cells of a federation as a table. */
final class FederationTable {
    private FederationTable() {}

    static void print(Federation federation, Terminal terminal) {
        if (federation.getCellsCount() == 0) {
            terminal.print("This cell is in no federation. To plan on several cells: cella dev --cells 3, or"
                    + " cella agent --cell URL and cella scheduler --type megha --cell URL");
            return;
        }
        Table table = new Table(
                "CELL",
                "STATE",
                "MACHINE",
                ">VERSION",
                ">AGE",
                ">MACHINES",
                ">RUNNING",
                ">PLACED THERE",
                ">ACCEPTED",
                ">INCONSISTENT",
                ">REPARTITIONS",
                "~INCARNATION",
                "~ADDRESS");
        for (FederatedCell cell : federation.getCellsList()) {
            table.row(
                    cell.getName().isEmpty() ? String.join(",", cell.getAddressesList()) : cell.getName(),
                    Words.word(cell.getState()),
                    cell.getMachine(),
                    cell.hasVersion() ? cell.getVersion() : "",
                    cell.hasLagSeconds() ? String.format(Locale.ROOT, "%.1f s", cell.getLagSeconds()) : "",
                    cell.hasMachines() ? cell.getMachines().getReady() : "",
                    cell.hasTasks() ? cell.getTasks().getRunning() : "",
                    cell.getTasksPlaced(),
                    cell.getClaims().getAccepted(),
                    cell.getClaims().getInconsistent(),
                    cell.getRepartitions(),
                    cell.getIncarnation(),
                    String.join(",", cell.getAddressesList()));
        }
        table.print(terminal);
    }
}
