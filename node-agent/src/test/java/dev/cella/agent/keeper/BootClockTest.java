package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BootClockTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The two clocks of the kernel do not begin at the same time. */
    private static final long AHEAD = 90 * SECOND;

    private long nanos = 500 * SECOND;
    private OptionalLong uptime = OptionalLong.of(nanos + AHEAD);
    private final BootClock clock = new BootClock(() -> nanos, () -> uptime);

    private void pass(long awakeNanos, long suspendedNanos) {
        nanos += awakeNanos;
        uptime = OptionalLong.of(uptime.orElseThrow() + awakeNanos + suspendedNanos);
    }

    @Test
    void suspends_areCounted_eachOnce() {
        long start = clock.getAsLong();
        pass(10 * SECOND, 0);
        assertThat(clock.getAsLong() - start).isEqualTo(10 * SECOND);
        pass(SECOND / 2, 60 * SECOND);
        assertThat(clock.getAsLong() - start).isEqualTo(70 * SECOND + SECOND / 2);
        pass(SECOND, 0);
        assertThat(clock.getAsLong() - start).isEqualTo(71 * SECOND + SECOND / 2);
        pass(SECOND, 5 * SECOND);
        assertThat(clock.getAsLong() - start).isEqualTo(77 * SECOND + SECOND / 2);
    }

    @Test
    void uptimeThatIsReadTooEarlyOrTooLate_changesNothing() {
        long start = clock.getAsLong();
        pass(SECOND, SECOND / 2);
        assertThat(clock.getAsLong() - start).isEqualTo(SECOND);
        pass(SECOND, -20 * SECOND);
        assertThat(clock.getAsLong() - start).isEqualTo(2 * SECOND);
    }

    @Test
    void uptimeThatCannotBeRead_leavesTheOtherClock() {
        long start = clock.getAsLong();
        pass(SECOND, 60 * SECOND);
        assertThat(clock.getAsLong() - start).isEqualTo(61 * SECOND);
        uptime = OptionalLong.empty();
        nanos += SECOND;
        assertThat(clock.getAsLong() - start).isEqualTo(62 * SECOND);
        BootClock without = new BootClock(() -> nanos, () -> uptime);
        assertThat(without.getAsLong()).isEqualTo(nanos);
    }

    @Test
    void parse_takesTheFirstNumber() {
        assertThat(BootClock.parse("350735.47 234388.90\n")).hasValue(350_735_470_000_000L);
        assertThat(BootClock.parse("")).isEmpty();
        assertThat(BootClock.parse("x y")).isEmpty();
    }

    @Test
    void system_readsTheUptimeOfThisMachine() {
        BootClock system = BootClock.system();
        assertThat(system.getAsLong()).isLessThanOrEqualTo(system.getAsLong());
    }
}
