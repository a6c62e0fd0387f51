package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.history.History;
import dev.cella.state.core.LogPosition;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Incarnation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The logs of three replicas, joined into one. */
class RunEvidenceTest {
    private final History history = new History(CellLimits.STANDARD);
    private final ReplicaLog r1 = new ReplicaLog("r1");
    private final ReplicaLog r2 = new ReplicaLog("r2");
    private final ReplicaLog r3 = new ReplicaLog("r3");

    @Test
    void takeLogs_oneBeganWithACheckpoint_theOthersHaveTheFirstEntries() {
        write(r1, 0, 1, 2, 3);
        write(r2, 0, 1, 2, 3);
        r3.beginAfter(1);
        write(r3, 2, 3);
        take();
        assertThat(history.logDivergences).isEmpty();
        assertThat(history.log).hasSize(4);
    }

    @Test
    void takeLogs_allArePurged_saysSo() {
        r1.beginAfter(1);
        write(r1, 2);
        r2.beginAfter(1);
        write(r2, 2);
        r3.beginAfter(1);
        write(r3, 2);
        take();
        assertThat(history.logDivergences).containsExactly("no replica has the first entries of the log");
    }

    @Test
    void takeLogs_entryOfAMinority_isNotCommitted() {
        write(r1, 0, 1, 2);
        write(r2, 0, 1);
        write(r3, 0, 1);
        take();
        assertThat(history.log).hasSize(2);
    }

    @Test
    void takeLogs_otherEntryAtTheSamePlace_hasSplit() {
        write(r1, 0, 1);
        write(r2, 0, 1);
        write(r3, 0);
        var unused = r3.committed(new LogPosition(1, 1), entry(77));
        take();
        assertThat(history.logDivergences).containsExactly("r3 has another entry 1 than a replica before it");
    }

    private void take() {
        new RunEvidence(history, 0).takeLogs(List.of(r1, r2, r3));
    }

    private static void write(ReplicaLog log, long... indexes) {
        for (long index : indexes) {
            var unused = log.committed(new LogPosition(1, index), entry(index));
        }
    }

    private static byte[] entry(long millis) {
        return EntryCodec.encode(new EntryHeader(1, new CellTime(millis), millis, new Incarnation(1)), List.of());
    }
}
