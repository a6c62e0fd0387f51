package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgentLoopTest {
    @Test
    void eventThatFails_isTheLastOne_andTheOwnerLearnsWhy() throws Exception {
        AgentLoop loop = new AgentLoop();
        List<String> done = new ArrayList<>();
        loop.handOver(() -> done.add("before"));
        loop.handOver(() -> {
            throw new IllegalStateException("the table is damaged");
        });
        loop.handOver(() -> done.add("after"));
        loop.shutdown();
        assertThat(loop.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(done).containsExactly("before");
        assertThat(loop.failed().join()).endsWith("the table is damaged");
    }
}
