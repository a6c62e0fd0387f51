package dev.cella.scheduling.live;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.client.live.WaitsMessage;
import dev.cella.client.proto.MachineWaits;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The wait-time matrices of one cell's machines, as the cell relayed them. Each answer brings those that are newer than the
 * last answer; an old one is forgotten, because its machine is gone or says nothing more.
 *
 * <p>The scheduler's thread writes. Plans on other threads may read.
 */
final class KnownWaits {
    private static final Duration ALL = Durations.fromHours(1);

    /** How much an answer and the one before it overlap, so that a late answer leaves no gap. */
    private static final long OVERLAP_MILLIS = 1_500;

    private static final long KEPT_MILLIS = 60_000;
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Map<String, WaitMatrix> byMachine = new ConcurrentHashMap<>();
    private OptionalLong askedMillis = OptionalLong.empty();
    private OptionalLong answeredMillis = OptionalLong.empty();

    /** Asks now. Returns how far back the question goes: to the last question that was answered. */
    Duration ask(CellTime now) {
        askedMillis = OptionalLong.of(now.millis());
        return answeredMillis.isEmpty()
                ? ALL
                : Durations.fromMillis(Math.max(0, now.millis() - answeredMillis.getAsLong()) + OVERLAP_MILLIS);
    }

    /** The answer to the last question. */
    void heard(List<MachineWaits> waits, CellTime now) {
        answeredMillis = askedMillis;
        for (MachineWaits each : waits) {
            long madeAtMillis = now.millis() - Durations.toMillis(each.getSaidAgo());
            byMachine.put(each.getMachine(), WaitsMessage.matrix(each, madeAtMillis / MILLIS_PER_SECOND));
        }
        double oldest = (now.millis() - KEPT_MILLIS) / MILLIS_PER_SECOND;
        byMachine.values().removeIf(matrix -> matrix.madeAtSeconds() < oldest);
    }

    Optional<WaitMatrix> find(String machine) {
        return Optional.ofNullable(byMachine.get(machine));
    }
}
