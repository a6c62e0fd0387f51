package dev.cella.bench.cell;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetCellRequest;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The time of reads at the leader, one after another: of what it shows, and of everything acknowledged before ({@code
 * linearizable}), for which it asks a majority whether it still leads.
 */
public record ReadTimes(
        double p50Millis, double p99Millis, double linearizableP50Millis, double linearizableP99Millis) {
    private static final int DIGITS = 3;
    private static final GetCellRequest SHOWN = GetCellRequest.getDefaultInstance();
    private static final GetCellRequest LINEARIZABLE =
            GetCellRequest.newBuilder().setLinearizable(true).build();

    /** By turns, so that both see the same machine. */
    static ReadTimes measure(BenchedCell cell, Duration measured) {
        HttpCell leader = new HttpCell(cell.leaderFirst());
        read(leader, measured.dividedBy(2));
        return read(leader, measured);
    }

    private static ReadTimes read(HttpCell leader, Duration duration) {
        Histogram shown = new Histogram(DIGITS);
        Histogram linearizable = new Histogram(DIGITS);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < duration.toNanos()) {
            shown.recordValue(nanos(leader, SHOWN));
            linearizable.recordValue(nanos(leader, LINEARIZABLE));
        }
        return new ReadTimes(
                millis(shown.getValueAtPercentile(50)),
                millis(shown.getValueAtPercentile(99)),
                millis(linearizable.getValueAtPercentile(50)),
                millis(linearizable.getValueAtPercentile(99)));
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
