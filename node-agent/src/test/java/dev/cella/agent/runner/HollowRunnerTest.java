package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HollowRunnerTest {
    private static final long FOR_EVER = Duration.ofDays(1).toMillis();
    private static final PlacementId PLACEMENT = new PlacementId(5, 0);

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private final TaskRunner.Listener listener = new TaskRunner.Listener() {
        @Override
        public void started(PlacementId placement) {
            heard.add("started");
        }

        @Override
        public void ended(PlacementId placement, TaskEnd end) {
            heard.add(end.toString());
        }
    };

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(180, TimeUnit.SECONDS));
    }

    private HollowRunner run(Map<String, String> environment) {
        HollowRunner runner = new HollowRunner(executor, FOR_EVER, 1);
        GroupRun run = new GroupRun("hello", "main", List.of("x"), environment, Optional.empty(), 0);
        Assignment assignment = new Assignment(PLACEMENT, new TaskId(new JobId(7), 0, 0), 1, 1);
        runner.start("m-1", new Launch(assignment, run), listener);
        return runner;
    }

    @Test
    void runtimeInTheEnvironment_endsItByItself() throws InterruptedException {
        run(Map.of(HollowRunner.RUNTIME_VARIABLE, "1", HollowRunner.EXIT_CODE_VARIABLE, "3"));
        assertThat(next()).isEqualTo("started");
        assertThat(next()).isEqualTo(TaskEnd.exited(3).toString());
    }

    @Test
    void meanRuntime_endsItByItself() throws InterruptedException {
        run(Map.of(HollowRunner.RUNTIME_MEAN_VARIABLE, "1"));
        assertThat(next()).isEqualTo("started");
        assertThat(next()).isEqualTo(TaskEnd.exited(0).toString());
    }

    @Test
    void terminate_endsItOnce() throws InterruptedException {
        HollowRunner runner = run(Map.of());
        assertThat(next()).isEqualTo("started");
        runner.terminate(PLACEMENT);
        runner.kill(PLACEMENT);
        assertThat(next()).isEqualTo(TaskEnd.stopped(143).toString());
        run(Map.of(HollowRunner.RUNTIME_VARIABLE, "0"));
        assertThat(next()).isEqualTo("started");
    }

    @Test
    void kill_endsIt() throws InterruptedException {
        HollowRunner runner = run(Map.of());
        assertThat(next()).isEqualTo("started");
        runner.kill(PLACEMENT);
        assertThat(next()).isEqualTo(TaskEnd.stopped(137).toString());
    }

    @Test
    void runtimeThatIsNoNumber_isNotStarted() throws InterruptedException {
        run(Map.of(HollowRunner.RUNTIME_VARIABLE, "long"));
        assertThat(next())
                .isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED).toString());
    }
}
