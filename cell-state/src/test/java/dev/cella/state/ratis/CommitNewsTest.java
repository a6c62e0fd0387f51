package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitNewsTest {
    private final IdleTime time = new IdleTime();
    private int told;
    private final CommitNews news = new CommitNews(time, () -> told++);

    private void entry() {
        news.proposed();
        news.landed();
    }

    @Test
    void lastEntry_isToldOnceTheLogIsQuiet() {
        entry();
        assertThat(told).isZero();
        time.advance(CommitNews.QUIET);
        assertThat(time.fire()).isTrue();
        assertThat(told).isEqualTo(1);
        fireAll();
        assertThat(told).isEqualTo(1);
    }

    private void fireAll() {
        boolean fired = true;
        while (fired) {
            time.advance(Duration.ofSeconds(1));
            fired = time.fire();
        }
    }

    @Test
    void entriesCloseTogether_areToldOnce() {
        for (int entry = 0; entry < 10; entry++) {
            entry();
            time.advance(Duration.ofMillis(1));
        }
        assertThat(time.fire()).isTrue();
        assertThat(told).isZero();
        time.advance(CommitNews.QUIET);
        assertThat(time.fire()).isTrue();
        assertThat(told).isEqualTo(1);
        fireAll();
        assertThat(told).isEqualTo(1);
    }

    @Test
    void entryInFlight_bringsTheNewsItself() {
        entry();
        news.proposed();
        time.advance(CommitNews.QUIET);
        assertThat(time.fire()).isTrue();
        assertThat(told).isZero();
        news.landed();
        time.advance(CommitNews.QUIET);
        assertThat(time.fire()).isTrue();
        assertThat(told).isEqualTo(1);
    }
}
