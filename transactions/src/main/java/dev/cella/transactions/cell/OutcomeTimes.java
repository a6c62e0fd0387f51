package dev.cella.transactions.cell;

/**
 * The cell times of the kept outcomes, as runs: the first version that had a time, and the time. Outcomes of one log entry
 * share one, so this is far less than a number an outcome. Part of the outcome table.
 */
final class OutcomeTimes {
    private static final int FIRST_VERSION = 0;
    private static final int TIME = 1;
    private static final int ROW_BITS = 9;

    private final int ring;
    private final WordPages runs = new WordPages(2, ROW_BITS);
    private long oldest;
    private long next;

    /** There are at most as many runs as outcomes. */
    OutcomeTimes(int outcomesMax) {
        ring = outcomesMax;
    }

    void note(long version, long cellTimeMillis) {
        if (next > oldest && time(next - 1) == cellTimeMillis) {
            return;
        }
        int row = row(next++);
        runs.reach(row);
        runs.set(row, FIRST_VERSION, version);
        runs.set(row, TIME, cellTimeMillis);
    }

    /** The time of the oldest outcome that is kept; the runs before it are forgotten. */
    long ofOldest(long version) {
        while (isBefore(oldest, version)) {
            oldest++;
        }
        return time(oldest);
    }

    /** Reads the times of outcomes in their order. */
    Cursor cursor() {
        return new Cursor(oldest);
    }

    /** A place in the runs that moves on with the versions asked for. */
    final class Cursor {
        private long run;

        private Cursor(long from) {
            run = from;
        }

        long of(long version) {
            while (isBefore(run, version)) {
                run++;
            }
            return time(run);
        }
    }

    /** Whether the version belongs to a later run. */
    private boolean isBefore(long run, long version) {
        return run + 1 < next && runs.word(row(run + 1), FIRST_VERSION) <= version;
    }

    private long time(long run) {
        return runs.word(row(run), TIME);
    }

    private int row(long run) {
        return (int) (run % ring);
    }

    long bytes() {
        return runs.bytes();
    }
}
