package dev.cella.agent.guard;

import dev.cella.agent.logs.OutputLimits;
import dev.cella.agent.logs.OutputStore;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.agent.runner.Isolation;
import dev.cella.agent.runner.ProcessRunner;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** As much of an agent as a test can kill: a guard that it renews, and one task under it. */
public final class GuardedAgentMain {
    private GuardedAgentMain() {}

    public static void main(String[] arguments) throws Exception {
        Duration lease = Duration.ofMillis(Long.parseLong(arguments[2]));
        Isolation isolation = Isolation.detect(Optional.empty());
        Guard guard = Guard.start(isolation.setsid(), lease);
        OutputStore outputs = OutputStore.open(Path.of(arguments[1]), OutputLimits.DEFAULT);
        ProcessRunner runner = new ProcessRunner(isolation, guard, outputs, arguments[0]);
        GroupRun run = new GroupRun(
                "job", "main", List.of("sh", "-c", arguments[3]), Map.of(), Optional.empty(), Long.MAX_VALUE);
        Assignment assignment = new Assignment(new PlacementId(1, 0), new TaskId(new JobId(1), 0, 0), 1, 1);
        CountDownLatch ended = new CountDownLatch(1);
        runner.start("machine", new Launch(assignment, run), new SaysStarted(ended));
        do {
            guard.renew();
        } while (!ended.await(lease.toMillis() / 5, TimeUnit.MILLISECONDS));
    }

    private record SaysStarted(CountDownLatch ended) implements TaskRunner.Listener {
        @Override
        public void started(PlacementId placement) {
            System.out.println("started");
        }

        @Override
        public void ended(PlacementId placement, TaskEnd end) {
            ended.countDown();
        }
    }
}
