package dev.cella.bench.cell;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetCellRequest;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * What a read takes at the leader, one after another: of what it shows, and of no less than all that was acknowledged before
 * ({@code linearizable}), for which it asks a majority whether it still leads.
 */
public record Reads(double p50Millis, double p99Millis, double linearizableP50Millis, double linearizableP99Millis) {
    private static final int MILLIS_DIGITS = 3;

    /** By turns, so that both see the same machine. */
    static Reads measure(BenchedCell cell, Duration measured) {
        HttpCell leader = new HttpCell(cell.leaderFirst());
        GetCellRequest shown = GetCellRequest.getDefaultInstance();
        GetCellRequest linearizable =
                GetCellRequest.newBuilder().setLinearizable(true).build();
        Histogram plain = new Histogram(MILLIS_DIGITS);
        Histogram exact = new Histogram(MILLIS_DIGITS);
        run(leader, shown, plain, linearizable, exact, measured.dividedBy(2));
        plain.reset();
        exact.reset();
        run(leader, shown, plain, linearizable, exact, measured);
        return new Reads(
                millis(plain.getValueAtPercentile(50)),
                millis(plain.getValueAtPercentile(99)),
                millis(exact.getValueAtPercentile(50)),
                millis(exact.getValueAtPercentile(99)));
    }

    private static void run(
            HttpCell cell,
            GetCellRequest shown,
            Histogram plain,
            GetCellRequest linearizable,
            Histogram exact,
            Duration duration) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < duration.toNanos()) {
            plain.recordValue(nanos(cell, shown));
            exact.recordValue(nanos(cell, linearizable));
        }
    }

    private static long nanos(HttpCell cell, GetCellRequest request) {
        long begin = System.nanoTime();
        cell.getCell(request);
        return System.nanoTime() - begin;
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
