package dev.cella.cli.pool;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.HttpCell;
import dev.cella.client.job.Names;
import dev.cella.client.proto.GetPoolRequest;
import dev.cella.client.proto.Pool;
import dev.cella.client.proto.PoolOrder;
import dev.cella.client.proto.PutPoolRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella pool set}: changes the given settings of a pool, and leaves the others as they are. */
@Command(
        name = "set",
        header = "Defines a pool, or changes what is given of it.",
        description = {"", "Values that are not given stay as they are; --limit DIMENSION=none takes a limit away.", ""
        },
        footer = {
            "",
            "Examples:",
            "  cella pool set research --weight 2 --limit cpuMilli=16000 --limit memoryMib=65536",
            "  cella pool set research/vision --minimum cpuMilli=4000 --order fifo"
        })
public final class PoolSetCommand implements Callable<Integer> {
    /** The orders there are. */
    private enum Order {
        fair,
        fifo
    }

    private static final String NONE = "none";

    private final Terminal terminal;

    @Parameters(paramLabel = "PATH", description = "the pool, such as research/vision")
    private String path = "";

    @Option(names = "--weight", paramLabel = "N", description = "its weight among its siblings")
    private @Nullable Integer weight;

    @Option(
            names = "--minimum",
            paramLabel = "DIMENSION=AMOUNT",
            description = "amounts that it gets before others share the rest")
    private Map<String, String> minimum = new TreeMap<>();

    @Option(
            names = "--limit",
            paramLabel = "DIMENSION=AMOUNT",
            description = "amounts that it never exceeds; none for no limit")
    private Map<String, String> limit = new TreeMap<>();

    @Option(names = "--order", paramLabel = "ORDER", description = "the order of its jobs: fair or fifo")
    private @Nullable Order order;

    @Option(
            names = "--minimum-timeout",
            paramLabel = "DURATION",
            description = "how long below its minimum until others' tasks may be ended for it")
    private @Nullable Duration minimumTimeout;

    @Option(
            names = "--fair-timeout",
            paramLabel = "DURATION",
            description = "how long below half of its fair share until others' tasks may be ended for it")
    private @Nullable Duration fairTimeout;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public PoolSetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Names.refusePool(path).ifPresent(why -> {
            throw CommandFailure.usage("PATH " + why, "write it as in cella pool set research/vision");
        });
        HttpCell cell = cellOption.open(terminal);
        Pool pool = cell.putPool(request(before(cell)));
        output.print(terminal, pool, () -> PoolTable.print(List.of(pool), terminal));
        return ExitCode.DONE.number();
    }

    /** Its newest row, because what is not given of it is written back. */
    private Pool before(HttpCell cell) {
        try {
            return cell.getPool(GetPoolRequest.newBuilder()
                    .setName(path)
                    .setLinearizable(true)
                    .build());
        } catch (Problem problem) {
            if (problem.type() == ProblemType.NOT_FOUND) {
                return Pool.getDefaultInstance();
            }
            throw problem;
        }
    }

    private PutPoolRequest request(Pool before) {
        PutPoolRequest.Builder request = PutPoolRequest.newBuilder()
                .setName(path)
                .setOrder(
                        order == null
                                ? before.getOrder()
                                : PoolOrder.valueOf("POOL_ORDER_" + order.name().toUpperCase(Locale.ROOT)))
                .putAllMinimum(changed(before.getMinimumMap(), minimum, "--minimum"))
                .putAllLimit(changed(before.getLimitMap(), limit, "--limit"));
        if (weight != null || before.getWeight() > 0) {
            request.setWeight(weight == null ? (int) before.getWeight() : weight);
        }
        if (minimumTimeout != null || before.hasMinimumTimeout()) {
            request.setMinimumTimeout(minimumTimeout == null ? before.getMinimumTimeout() : message(minimumTimeout));
        }
        if (fairTimeout != null || before.hasFairTimeout()) {
            request.setFairTimeout(fairTimeout == null ? before.getFairTimeout() : message(fairTimeout));
        }
        return request.build();
    }

    private static Map<String, Long> changed(Map<String, Long> before, Map<String, String> given, String option) {
        Map<String, Long> changed = new TreeMap<>(before);
        given.forEach((dimension, amount) -> {
            if (amount.equals(NONE)) {
                changed.remove(dimension);
            } else {
                changed.put(dimension, number(option + " " + dimension, amount));
            }
        });
        return changed;
    }

    private static long number(String what, String amount) {
        try {
            return Long.parseLong(amount);
        } catch (NumberFormatException notANumber) {
            throw CommandFailure.usage(
                    what + " must be a whole number or none, is " + amount, "write cpuMilli=4000 or memoryMib=8192");
        }
    }

    private static com.google.protobuf.Duration message(Duration duration) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }
}
