package dev.cella.client.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.Check;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Update;
import org.junit.jupiter.api.Test;

class HealthyTimeTest {
    /** Every 10 s, timeout 2 s: the third failure is known 36 s after the start at the latest. */
    private static final Check USUAL = check(10, 3);

    @Test
    void withoutACheck_isWhatTheUpdateSays() {
        assertThat(seconds(Group.newBuilder())).isEqualTo(10);
        assertThat(seconds(Group.newBuilder().setUpdate(update(3, 600)))).isEqualTo(3);
    }

    @Test
    void withACheck_isNotBeforeTheCheckCouldHaveEndedTheTask() {
        assertThat(seconds(Group.newBuilder().setCheck(USUAL))).isEqualTo(37);
        assertThat(seconds(Group.newBuilder().setCheck(USUAL).setUpdate(update(3, 600))))
                .isEqualTo(37);
        assertThat(seconds(Group.newBuilder().setCheck(USUAL).setUpdate(update(60, 600))))
                .isEqualTo(60);
    }

    /** Otherwise the update would fail although its tasks are well. */
    @Test
    void aCheckThatTakesLong_leavesHalfOfTheDeadline() {
        assertThat(seconds(Group.newBuilder().setCheck(USUAL).setUpdate(update(3, 20))))
                .isEqualTo(10);
        assertThat(seconds(Group.newBuilder().setCheck(USUAL).setUpdate(update(15, 20))))
                .isEqualTo(15);
        Check endless = check(Durations.MAX_VALUE.getSeconds(), Integer.MAX_VALUE);
        assertThat(seconds(Group.newBuilder().setCheck(endless))).isEqualTo(300);
    }

    @Test
    void afterTheCheckHasPassed_isOnlyWhatTheUpdateSays() {
        Group group = Group.newBuilder().setCheck(USUAL).build();
        assertThat(HealthyTime.afterCheck(group)).isZero();
        assertThat(HealthyTime.afterCheck(
                        group.toBuilder().setUpdate(update(3, 600)).build()))
                .hasSeconds(3);
    }

    private static long seconds(Group.Builder group) {
        return HealthyTime.of(group.build()).toSeconds();
    }

    private static Check check(long everySeconds, int failuresMax) {
        return Check.newBuilder()
                .setEvery(Durations.fromSeconds(everySeconds))
                .setTimeout(Durations.fromSeconds(2))
                .setFailuresMax(failuresMax)
                .build();
    }

    private static Update update(long healthyAfterSeconds, long deadlineSeconds) {
        return Update.newBuilder()
                .setHealthyAfter(Durations.fromSeconds(healthyAfterSeconds))
                .setDeadline(Durations.fromSeconds(deadlineSeconds))
                .build();
    }
}
