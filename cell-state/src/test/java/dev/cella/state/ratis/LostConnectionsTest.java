package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;

class LostConnectionsTest {
    private static final Duration SILENT_MAX = Duration.ofSeconds(4);
    private static final Duration LONGER = SILENT_MAX.plusMillis(1);
    private static final RaftPeerId ONE = RaftPeerId.valueOf("r1");
    private static final RaftPeerId OTHER = RaftPeerId.valueOf("r2");

    private final List<RaftPeerId> replaced = new CopyOnWriteArrayList<>();
    private final LostConnections lost = new LostConnections(SILENT_MAX, replaced::add);

    @Test
    void look_atOneThatIsSilentForLong_replacesItsConnectionOnceInThatSilence() {
        lost.look(ONE, LONGER);
        await().until(() -> replaced.equals(List.of(ONE)));

        lost.look(ONE, LONGER.multipliedBy(2));
        lost.look(OTHER, LONGER);

        await().until(() -> replaced.equals(List.of(ONE, OTHER)));
    }

    @Test
    void look_atOneThatWasHeardBetweenTwoSilences_replacesItsConnectionTwice() {
        lost.look(ONE, LONGER);
        await().until(() -> replaced.size() == 1);
        lost.look(ONE, Duration.ZERO);

        lost.look(ONE, LONGER);

        await().until(() -> replaced.equals(List.of(ONE, ONE)));
    }

    @Test
    void look_atOneThatIsHeardInTime_keepsItsConnection() {
        lost.look(ONE, SILENT_MAX);
        lost.look(OTHER, LONGER);

        await().until(() -> !replaced.isEmpty());
        assertThat(replaced).containsExactly(OTHER);
    }
}
