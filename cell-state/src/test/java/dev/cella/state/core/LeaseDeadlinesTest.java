package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LeaseDeadlinesTest {
    private static final long SECOND = 1_000_000_000;
    private static final long LEASE_MILLIS = 10_000;

    private final Map<Integer, Long> cell = new HashMap<>();
    private final LeaseDeadlines<Integer> leases = new LeaseDeadlines<>(Duration.ofSeconds(2));
    private int looks;

    private OptionalLong leaseOf(int holder) {
        looks++;
        Long lease = cell.get(holder);
        return lease == null ? OptionalLong.empty() : OptionalLong.of(lease);
    }

    @Test
    void holders_whoRenew_areLookedAtOnceInALease() {
        int holders = 1_000;
        for (int holder = 0; holder < holders; holder++) {
            cell.put(holder, LEASE_MILLIS);
        }
        leases.see(cell, 0);
        for (long now = 0; now < 120 * SECOND; now += SECOND / 4) {
            if (now % (3 * SECOND) == 0) {
                long renewed = now;
                cell.keySet()
                        .forEach(holder -> assertThat(leases.renew(holder, LEASE_MILLIS, renewed))
                                .isTrue());
            }
            assertThat(leases.giveUp(this::leaseOf, now)).isEmpty();
        }
        assertThat(looks).as("480 ticks").isBetween(holders * 8, holders * 12);
    }

    @Test
    void holder_notRenewed_isGivenUpAfterLeaseAndGraceUntilDecided() {
        cell.put(1, LEASE_MILLIS);
        assertThat(leases.renew(1, LEASE_MILLIS, 0)).isTrue();
        assertThat(leases.giveUp(this::leaseOf, 12 * SECOND)).isEmpty();
        assertThat(leases.giveUp(this::leaseOf, 12 * SECOND + 1)).containsExactly(1);
        assertThat(leases.renew(1, LEASE_MILLIS, 13 * SECOND)).isFalse();
        assertThat(leases.giveUp(this::leaseOf, 14 * SECOND)).as("asked again").containsExactly(1);
        leases.decided(1);
        assertThat(leases.renew(1, LEASE_MILLIS, 15 * SECOND)).isTrue();
        assertThat(leases.giveUp(this::leaseOf, 27 * SECOND)).isEmpty();
    }

    @Test
    void holder_whoseLeaseBecomesShorter_isGivenUpAfterTheShorterOne() {
        cell.put(1, 3_600_000L);
        leases.renew(1, 3_600_000, 0);
        cell.put(1, LEASE_MILLIS);
        leases.renew(1, LEASE_MILLIS, SECOND);
        assertThat(leases.giveUp(this::leaseOf, 13 * SECOND)).isEmpty();
        assertThat(leases.giveUp(this::leaseOf, 13 * SECOND + 1)).containsExactly(1);
    }

    @Test
    void holder_withALeaseWithoutAnEnd_isKept() {
        cell.put(1, Long.MAX_VALUE);
        cell.put(2, LEASE_MILLIS);
        leases.see(cell, SECOND);
        assertThat(leases.giveUp(this::leaseOf, 14 * SECOND)).containsExactly(2);
        assertThat(leases.renew(1, Long.MAX_VALUE, 15 * SECOND)).isTrue();
        assertThat(leases.giveUp(this::leaseOf, 1_000_000 * SECOND)).containsExactly(2);
    }

    @Test
    void holder_thatIsGone_isDropped() {
        cell.put(1, LEASE_MILLIS);
        leases.see(cell, 0);
        cell.clear();
        assertThat(leases.giveUp(this::leaseOf, 20 * SECOND)).isEmpty();
        cell.put(1, LEASE_MILLIS);
        leases.see(cell, 30 * SECOND);
        assertThat(leases.giveUp(this::leaseOf, 42 * SECOND)).isEmpty();
        assertThat(leases.giveUp(this::leaseOf, 43 * SECOND)).containsExactly(1);
    }
}
