package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemTimeTest {
    /** Without a word, a replica would lack one of its timers, and nobody would know why. */
    @Test
    void taskThatFailsWithAnError_isTold_andTheNextOneRuns() throws Exception {
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        try (SystemTime time = new SystemTime(Thread::new, failed::complete)) {
            time.after(Duration.ZERO, () -> {
                throw new AssertionError("planted");
            });
            assertThat(failed.get(1, TimeUnit.MINUTES)).hasMessage("planted");
            CompletableFuture<Void> next = new CompletableFuture<>();
            time.after(Duration.ZERO, () -> next.complete(null));
            assertThat(next.get(1, TimeUnit.MINUTES)).isNull();
        }
    }
}
