package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class AgentLoopTest {
    private final AgentLoop loop = new AgentLoop();
    private final List<String> done = new ArrayList<>();

    @Test
    void eventThatFails_isTheLastOne_andTheOwnerLearnsWhy() throws Exception {
        loop.handOver(() -> done.add("before"));
        loop.handOver(() -> {
            throw new IllegalStateException("the table is damaged");
        });
        loop.handOver(() -> done.add("after"));
        awaitEnd();
        assertThat(done).containsExactly("before");
        assertThat(loop.failed()).isCompletedWithValueMatching(why -> why.endsWith("the table is damaged"));
    }

    @Test
    void eventThatFailsWithAnError_isTheLastOne_andTheOwnerLearnsWhy() throws Exception {
        loop.handOver(() -> {
            throw new NoClassDefFoundError("dev/cella/Missing");
        });
        loop.handOver(() -> done.add("after"));
        awaitEnd();
        assertThat(done).isEmpty();
        assertThat(loop.failed()).isCompletedWithValueMatching(why -> why.endsWith("dev/cella/Missing"));
    }

    /** Runners and replicas use the loop as an executor. */
    @Test
    void eventOfAPartThatFails_isTheLastOne_andTheOwnerLearnsWhy() throws Exception {
        List<BiConsumer<AgentLoop, Runnable>> ways = List.of(
                AgentLoop::execute,
                (its, event) -> {
                    var unused = its.schedule(event, 0, TimeUnit.MILLISECONDS);
                },
                (its, event) -> {
                    var unused = its.scheduleWithFixedDelay(event, 0, 1, TimeUnit.DAYS);
                });
        for (BiConsumer<AgentLoop, Runnable> way : ways) {
            AgentLoop its = new AgentLoop();
            way.accept(its, () -> {
                throw new IllegalStateException("the table is damaged");
            });
            assertThat(its.failed().get(1, TimeUnit.MINUTES)).endsWith("the table is damaged");
            way.accept(its, () -> done.add("after"));
            its.shutdown();
            assertThat(its.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(done).isEmpty();
    }

    @Test
    void stop_letsPartsCloseThemselves_alsoAfterAFailure() throws Exception {
        loop.handOver(() -> {
            throw new IllegalStateException("the table is damaged");
        });
        assertThat(loop.failed().get(1, TimeUnit.MINUTES)).endsWith("the table is damaged");
        loop.stop();
        loop.handOver(() -> done.add("event"));
        loop.execute(() -> done.add("close"));
        awaitEnd();
        assertThat(done).containsExactly("close");
    }

    private void awaitEnd() throws InterruptedException {
        loop.shutdown();
        assertThat(loop.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
}
