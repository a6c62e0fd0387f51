package dev.cella.wholecell;

import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose disk loses its power under load: the log ends as the cut left it, not as a test cut it off. */
@Timeout(600)
class PowerCutTest {
    private static final int CALLERS = 4;
    private static final int ACKNOWLEDGED_BEFORE = 60;

    @TempDir
    Path folder;

    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @Test
    void powerCutUnderLoad_serverStartsAgain_withAllThatWasAcknowledged() {
        try (LoopDisk disk = LoopDisk.mount(folder.resolve("disk"))) {
            try (CellaProcess server = start(disk)) {
                List<Thread> callers = call(address(server));
                await().atMost(CellaProcess.PATIENCE).until(() -> acknowledged.size() >= ACKNOWLEDGED_BEFORE);
                disk.cutPower();
                server.kill();
                stopped.set(true);
                callers.forEach(caller -> await().atMost(CellaProcess.PATIENCE).until(() -> !caller.isAlive()));
            }
            disk.mountAgain();
            try (CellaProcess again = start(disk)) {
                OutsideClient client = new OutsideClient(address(again));
                acknowledged.forEach(job -> client.get("/v1/jobs/" + job));
                client.post("/v1/jobs", job("after"));
            }
        }
    }

    private CellaProcess start(LoopDisk disk) {
        String data = folder.resolve("disk").resolve("data").toString();
        return CellaProcess.start(
                disk.enter(),
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                "server",
                "--data",
                data,
                "--port",
                "0");
    }

    private static String address(CellaProcess server) {
        return server.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
    }

    private List<Thread> call(String address) {
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            String prefix = "job-" + caller + "-";
            Thread thread = new Thread(() -> submitOnAndOn(new OutsideClient(address), prefix), "caller-" + caller);
            thread.setDaemon(true);
            callers.add(thread);
            thread.start();
        }
        return callers;
    }

    private void submitOnAndOn(OutsideClient client, String prefix) {
        for (int number = 0; !stopped.get(); number++) {
            String name = prefix + number;
            client.tryToSend("POST", "/v1/jobs", job(name))
                    .map(HttpResponse::statusCode)
                    .filter(status -> status == 201)
                    .ifPresent(status -> acknowledged.add(name));
        }
    }

    /** A job without a scheduler. */
    private static String job(String name) {
        return Jobs.batch(name, 1, "true", "x".repeat(2_000))
                .replace("\"batch\"", "\"batch\", \"scheduler\": \"nobody\"");
    }
}
