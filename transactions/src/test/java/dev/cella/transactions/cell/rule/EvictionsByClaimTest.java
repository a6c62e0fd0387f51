package dev.cella.transactions.cell.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EvictionsByClaimTest {
    private static Transaction.Builder transaction(int claims) {
        Transaction.Builder builder = Transaction.builder(new TransactionId("t"), "batch");
        for (int claim = 0; claim < claims; claim++) {
            builder.claim(new TaskId(new JobId(1), 0, claim), 1, 0);
        }
        return builder;
    }

    private static Eviction eviction(int index, OptionalInt forClaim) {
        return new Eviction(new TaskId(new JobId(2), 0, index), 1, forClaim);
    }

    @Test
    void evictions_areFoundByTheirClaimInTheirOrder() {
        EvictionsByClaim evictions = EvictionsByClaim.of(transaction(3)
                .evict(eviction(0, OptionalInt.of(2)))
                .evict(eviction(1, OptionalInt.empty()))
                .evict(eviction(2, OptionalInt.of(0)))
                .evict(eviction(3, OptionalInt.of(2)))
                .evict(eviction(4, OptionalInt.empty()))
                .build());
        assertThat(evictions.of(0)).containsExactly(2);
        assertThat(evictions.of(1)).isEmpty();
        assertThat(evictions.of(2)).containsExactly(0, 3);
        assertThat(evictions.alone()).containsExactly(1, 4);
    }

    @Test
    void noEvictions_areForNobody() {
        EvictionsByClaim none = EvictionsByClaim.of(transaction(2).build());
        assertThat(none.of(1)).isEmpty();
        assertThat(none.alone()).isEmpty();
    }

    /** All claims together visit each eviction once: the cost is the sum of both numbers, not the product. */
    @Test
    void allClaims_lookAtEachEvictionOnce() {
        int count = 5_000;
        Transaction.Builder builder = transaction(count);
        for (int index = 0; index < count; index++) {
            builder.evict(eviction(index, OptionalInt.of(count - 1 - index)));
        }
        EvictionsByClaim evictions = EvictionsByClaim.of(builder.build());
        long looked = 0;
        for (int claim = 0; claim < count; claim++) {
            looked += evictions.of(claim).count();
        }
        assertThat(looked).isEqualTo(count);
    }
}
