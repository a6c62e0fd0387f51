package dev.cella.cli.bench;

import dev.cella.bench.cell.Conditions;
import dev.cella.bench.cell.LoadResults;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The common part of reports about whole cells, for people and for programs. */
final class BenchReport {
    private BenchReport() {}

    static void print(Conditions conditions, Terminal terminal) {
        terminal.print(String.format(
                Locale.ROOT,
                "machine   %d processors, load %.1f before, fsync of 4 KiB %.2f ms",
                conditions.processors(),
                conditions.loadAverage(),
                conditions.fsyncMillis()));
    }

    static Map<String, Object> data(String bench, Conditions conditions) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("bench", bench);
        data.put("processors", conditions.processors());
        data.put("loadAverage", conditions.loadAverage());
        data.put("fsyncMillis", conditions.fsyncMillis());
        return data;
    }

    static Table table() {
        return new Table(
                "LOAD",
                ">PLACEMENTS/S",
                ">COMMANDS/S",
                ">p50",
                ">p99",
                ">SERVERS A CLAIM",
                ">LEADER",
                ">CLIENT",
                ">COMPILING",
                ">WARM AFTER");
    }

    static void row(Table table, String load, LoadResults figures) {
        table.row(
                load,
                String.format(Locale.ROOT, "%,.0f", figures.placementsPerSecond()),
                String.format(Locale.ROOT, "%,.0f", figures.transactionsPerSecond()),
                millis(figures.p50Millis()),
                millis(figures.p99Millis()),
                micros(figures.serverCpuMicros()),
                micros(figures.leaderCpuMicros()),
                micros(figures.clientCpuMicros()),
                String.format(Locale.ROOT, "%.1f%%", 100 * figures.compilingFraction()),
                String.format(Locale.ROOT, "%.0f s", figures.warmSeconds()));
    }

    static String millis(double millis) {
        return String.format(Locale.ROOT, "%.1f ms", millis);
    }

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    static String mib(double mib) {
        return String.format(Locale.ROOT, "%.0f MiB", mib);
    }

    private static String micros(double micros) {
        return String.format(Locale.ROOT, "%.1f us", micros);
    }

    static Map<String, Object> data(LoadResults figures) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("placementsPerSecond", figures.placementsPerSecond());
        data.put("commandsPerSecond", figures.transactionsPerSecond());
        data.put("p50Millis", figures.p50Millis());
        data.put("p99Millis", figures.p99Millis());
        data.put("serverCpuMicrosPerClaim", figures.serverCpuMicros());
        data.put("leaderCpuMicrosPerClaim", figures.leaderCpuMicros());
        data.put("clientCpuMicrosPerClaim", figures.clientCpuMicros());
        data.put("compilingFraction", figures.compilingFraction());
        data.put("warmSeconds", figures.warmSeconds());
        data.put("claimsRefused", figures.claimsRefused());
        return data;
    }
}
