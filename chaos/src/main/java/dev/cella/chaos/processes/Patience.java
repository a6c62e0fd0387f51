package dev.cella.chaos.processes;

/**
 * How long a healed cell may take for what is left. The time of the scenario is meant for an idle machine; on a busy one a cell
 * that still gets on is slow and not stuck. So each time fewer tasks are under way than ever before, it gets half of that time
 * again, up to four times in all.
 */
final class Patience {
    private static final int LONGER_MAX = 4;

    private final long halfMillis;
    private final long latestMillis;
    private long untilMillis;
    private long fewest = Long.MAX_VALUE;

    Patience(long nowMillis, long usualMillis) {
        this.halfMillis = usualMillis / 2;
        this.untilMillis = nowMillis + usualMillis;
        this.latestMillis = nowMillis + LONGER_MAX * usualMillis;
    }

    /**
     * @param underWay how many tasks are not done
     */
    void sees(long nowMillis, long underWay) {
        if (underWay < fewest) {
            fewest = underWay;
            untilMillis = Math.min(latestMillis, Math.max(untilMillis, nowMillis + halfMillis));
        }
    }

    boolean lasts(long nowMillis) {
        return nowMillis < untilMillis;
    }
}
