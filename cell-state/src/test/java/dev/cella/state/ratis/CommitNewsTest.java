package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.ratis.CommitNews.Followers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitNewsTest {
    private final IdleTime time = new IdleTime();
    private int told;
    private Followers followers = Followers.LAG;
    private final CommitNews news = new CommitNews(time, () -> followers, () -> told++);

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
    void followersThatKnow_areNotTold() {
        followers = Followers.KNOW_ALL;
        entry();
        fireAll();
        assertThat(told).isZero();
    }

    @Test
    void followerThatHasNotConfirmedTheEntry_isToldWhenItHas() {
        followers = Followers.CONFIRM_FIRST;
        entry();
        for (int look = 0; look < 3; look++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(time.fire()).isTrue();
        }
        assertThat(told).isZero();
        followers = Followers.LAG;
        fireAll();
        assertThat(told).isEqualTo(1);
    }

    @Test
    void followerThatNeverConfirms_doesNotKeepTheNewsFromTheOthers() {
        followers = Followers.CONFIRM_FIRST;
        entry();
        fireAll();
        assertThat(told).isEqualTo(1);
        entry();
        fireAll();
        assertThat(told).isEqualTo(2);
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
