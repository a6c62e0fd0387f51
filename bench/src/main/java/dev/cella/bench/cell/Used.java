package dev.cella.bench.cell;

import java.time.Duration;

/**
 * What a cell and its clients have used of the processors until one moment.
 *
 * @param servers all of them
 * @param leader of that
 * @param client this process
 */
record Used(Duration servers, Duration leader, Duration client) {
    static Used now(BenchedCell cell, ServerProcess leader) {
        Duration client = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return new Used(cell.cpu(), leader.cpu(), client);
    }
}
