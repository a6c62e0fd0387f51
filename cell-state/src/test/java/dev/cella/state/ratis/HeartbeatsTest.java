package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private final IdleTime time = new IdleTime();
    private int beats;
    private final Heartbeats heartbeats = new Heartbeats(time, Duration.ofMillis(900), () -> beats++);

    @Test
    void leader_beatsThreeTimesInATimeout() {
        heartbeats.begin();
        assertThat(time.lastDelay()).isEqualTo(Duration.ofMillis(300));
        assertThat(time.fire()).isTrue();
        assertThat(time.fire()).isTrue();
        assertThat(time.lastDelay()).isEqualTo(Duration.ofMillis(300));
        assertThat(beats).isEqualTo(2);
    }

    @Test
    void leaderOfSeveralFollowers_beatsOnceForAll() {
        heartbeats.begin();
        heartbeats.begin();
        assertThat(time.fire()).isTrue();
        assertThat(beats).isEqualTo(1);
        heartbeats.end();
        assertThat(time.fire()).isTrue();
        assertThat(time.fire()).isFalse();
        assertThat(beats).isEqualTo(1);
    }

    @Test
    void formerLeader_isSilent_untilItLeadsAgain() {
        heartbeats.begin();
        heartbeats.end();
        assertThat(time.fire()).isTrue();
        assertThat(time.fire()).isFalse();
        assertThat(beats).isZero();
        heartbeats.begin();
        assertThat(time.fire()).isTrue();
        assertThat(beats).isEqualTo(1);
    }
}
