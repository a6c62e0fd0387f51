package dev.cella.bench.cell;

import java.time.Duration;

/**
 * The processor time of a cell and its clients until a moment.
 *
 * @param servers all of them
 * @param leader the leader's part
 * @param client this process
 */
record Used(Duration servers, Duration leader, Duration client) {
    static Used now(BenchedCell cell, PartProcess leader) {
        Duration client = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return new Used(cell.cpu(), leader.cpu(), client);
    }
}
