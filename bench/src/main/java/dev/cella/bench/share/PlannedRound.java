package dev.cella.bench.share;

/**
 * One plan over the whole cell.
 *
 * @param items the offers, or the claims, that it would commit
 * @param cpuSeconds the CPU time of the planning thread, from the view to the transactions
 */
public record PlannedRound(int items, double cpuSeconds) {
    public double itemsPerCpuSecond() {
        return items / cpuSeconds;
    }
}
