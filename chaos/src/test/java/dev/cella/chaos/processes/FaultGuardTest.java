package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.StringReader;
import java.io.UncheckedIOException;
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

    private final PipedWriter command = new PipedWriter();

    @Test
    void nobodyRenews_theFaultIsHealed_andHasLapsed() throws Exception {
        assertThat(run(LONG, Duration.ofMillis(1), () -> {}).lapsed()).isTrue();
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void commandIsGone_theFaultIsHealed_andHasLapsed() throws Exception {
        assertThat(run(LONG, LONG, command::close).lapsed()).isTrue();
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void commandEndsIt_hasNotLapsed() throws Exception {
        assertThat(run(LONG, LONG, () -> say("end\n")).lapsed()).isFalse();
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void timeIsOver_hasNotLapsed() throws Exception {
        assertThat(run(Duration.ofMillis(1), LONG, () -> {}).lapsed()).isFalse();
        assertThat(steps).containsExactly("begun", "healed");
    }

    @Test
    void processIsToldToStop_theFaultIsHealed_andHasLapsed() throws Exception {
        try (BufferedReader renewals = new BufferedReader(new PipedReader(command))) {
            say("renew\n");
            FaultGuard guard = new FaultGuard(fault, List.of(), LONG, renewals, LONG);
            assertThat(guard.run(guard::end).lapsed()).isTrue();
        }
        assertThat(steps).containsExactly("begun", "healed");
    }

    /** The executor takes up to a second to start. */
    @Test
    void commandIsGoneOrEndsIt_beforeTheExecutorRuns_nothingBegins() throws Exception {
        assertThat(run(said("renew\n")).lapsed()).isTrue();
        assertThat(run(said("")).lapsed()).isTrue();
        assertThat(run(said("renew\nend\n")).whyVoid()).isEqualTo("it was told to end before it began");
        assertThat(steps).isEmpty();
    }

    private FaultGuard.Ended run(BufferedReader said) throws InterruptedException {
        return new FaultGuard(fault, List.of(), LONG, said, LONG).run(() -> {});
    }

    private static BufferedReader said(String lines) {
        return new BufferedReader(new StringReader(lines));
    }

    private interface Step {
        void take() throws IOException;
    }

    /** Renews the lease once. */
    private FaultGuard.Ended run(Duration length, Duration lease, Step begun) throws Exception {
        try (BufferedReader renewals = new BufferedReader(new PipedReader(command))) {
            say("renew\n");
            return new FaultGuard(fault, List.of(), length, renewals, lease).run(() -> take(begun));
        }
    }

    private void say(String line) throws IOException {
        command.write(line);
        command.flush();
    }

    private static void take(Step step) {
        try {
            step.take();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
