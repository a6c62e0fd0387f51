package dev.cella.cli.pool;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.Pool;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Pools as a table: one line each, with the amounts of all dimensions in one cell. */
final class PoolTable {
    private PoolTable() {}

    static void print(List<Pool> pools, Terminal terminal) {
        Table table = new Table(
                "POOL", ">WEIGHT", "ORDER", "MINIMUM", "LIMIT", "USED", "PENDING", "SHARE", "DEFICIT", ">DOMINANT");
        for (Pool pool : pools) {
            table.row(
                    pool.getName(),
                    pool.getWeight(),
                    pool.getOrder().name().substring("POOL_ORDER_".length()),
                    amounts(pool.getMinimumMap()),
                    amounts(pool.getLimitMap()),
                    someOf(pool.getUsedMap()),
                    someOf(pool.getPendingMap()),
                    someOf(pool.getShareMap()),
                    amounts(pool.getDeficitMap()),
                    String.format(Locale.ROOT, "%.2f", pool.getDominantShare()));
        }
        table.print(terminal);
        pools.forEach(pool ->
                pool.getWarningsList().forEach(warning -> terminal.say("note:  " + pool.getName() + ": " + warning)));
    }

    /** Without zeros, which say nothing about use; a limit of zero says something. */
    private static String someOf(Map<String, Long> amounts) {
        return amounts(amounts.entrySet().stream()
                .filter(amount -> amount.getValue() != 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    private static String amounts(Map<String, Long> amounts) {
        return new TreeMap<>(amounts)
                .entrySet().stream()
                        .map(amount -> amount.getKey() + "=" + amount.getValue())
                        .collect(Collectors.joining(","));
    }
}
