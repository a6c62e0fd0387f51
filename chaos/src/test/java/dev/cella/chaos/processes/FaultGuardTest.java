package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultGuardTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final List<String> steps = new ArrayList<>();
    private final ProcessFault fault =
            ProcessFault.on("it").begins(() -> steps.add("begun")).heals(() -> steps.add("healed"));

    @Test
    void nobodyRenews_theFaultIsHealed_andHasLapsed() throws Exception {
        try (PipedWriter silent = new PipedWriter();
                BufferedReader renewals = new BufferedReader(new PipedReader(silent))) {
            assertThat(run(LONG, renewals, Duration.ofMillis(1)).lapsed()).isTrue();
        }
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void commandIsGone_theFaultIsHealed_andHasLapsed() throws Exception {
        assertThat(run(LONG, said("renew\n"), LONG).lapsed()).isTrue();
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void commandEndsIt_hasNotLapsed() throws Exception {
        assertThat(run(LONG, said("renew\nend\n"), LONG).lapsed()).isFalse();
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void processIsToldToStop_theFaultIsHealed_andHasLapsed() throws Exception {
        try (PipedWriter silent = new PipedWriter();
                BufferedReader renewals = new BufferedReader(new PipedReader(silent))) {
            FaultGuard guard = new FaultGuard(fault, LONG, renewals, LONG);
            guard.end();
            assertThat(guard.run(() -> {}).lapsed()).isTrue();
        }
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void timeIsOver_hasNotLapsed() throws Exception {
        try (PipedWriter silent = new PipedWriter();
                BufferedReader renewals = new BufferedReader(new PipedReader(silent))) {
            assertThat(run(Duration.ofMillis(1), renewals, LONG).lapsed()).isFalse();
        }
        assertThat(steps).containsExactly("begun", "healed");
    }

    private FaultGuard.Ended run(Duration length, BufferedReader renewals, Duration lease) throws InterruptedException {
        return new FaultGuard(fault, length, renewals, lease).run(() -> {});
    }

    private static BufferedReader said(String lines) {
        return new BufferedReader(new StringReader(lines));
    }
}
