package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent of one machine gets only its part of the cell, from the replica at which it is. Here its replicas are killed, also
 * the leader, and one took a checkpoint because the log no longer had what it missed.
 */
@Timeout(600)
class AgentOnReplicasTest {
    private static final String MACHINE = "m-own";
    private static final int MACHINES = 10;
    private static final int FILLER = 3_000;

    @TempDir
    Path folder;

    private Path ran;
    private ReplicatedCell cell;
    private int jobs;

    @BeforeEach
    void startCell() throws IOException {
        ran = Files.createDirectory(folder.resolve("ran"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(ran, PosixFilePermissions.fromString("rwxrwxrwx"));
        cell = ReplicatedCell.start(folder);
    }

    @AfterEach
    void stopCell() {
        cell.close();
    }

    @Test
    void leadersAreKilled_andTheNextOneHadTakenACheckpoint_theAgentStartsEachTaskOnce() {
        String first = cell.awaitLeader();
        CellaProcess agent = startAgent(first);
        try {
            runOne();
            cell.kill(first);
            runOne();

            writeUntilForgotten(cell.awaitLeader(), cell.running());
            cell.start(first);
            cell.awaitReady(first);
            cell.process(first).awaitLine("goes on from another replica's checkpoint");
            lead(first);
            for (String other : others(first)) {
                cell.startAll();
                cell.kill(other);
                runOne();
            }

            assertThat(starts()).as("%s%nagent:%n%s", cell, agent.output()).containsExactlyElementsOf(eachOnce());
            for (int job = 0; job < jobs; job++) {
                cell.client(first).awaitTask("job-" + job + "/main/0", "RUNNING");
            }
            assertThat(agent.output()).doesNotContain("following the whole cell");
        } finally {
            agent.terminateOrKill();
        }
    }

    private CellaProcess startAgent(String replica) {
        CellaProcess agent = CellaProcess.start(
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                "agent",
                "--address",
                cell.address(replica),
                "--name",
                MACHINE,
                "--data",
                folder.resolve("agent").toString(),
                "--lease",
                "1m");
        cell.client(replica)
                .awaitAnswer("/v1/machines", list -> list.path("machines").size() == 1);
        return agent;
    }

    /** Submits a job, places its task on the machine and waits until it runs. */
    private void runOne() {
        String name = "job-" + jobs++;
        String leader = cell.awaitLeader();
        place(leader, name, "sh", "-c", "echo " + name + " >> " + ran.resolve(name) + "; exec sleep 1000");
        cell.client(leader).awaitTask(name + "/main/0", "RUNNING");
    }

    private void place(String replica, String name, String... command) {
        String job = Jobs.batch(name, 1, command).replace("\"batch\"", "\"batch\", \"scheduler\": \"nobody\"");
        String claim = """
                {"id": "%1$s", "scheduler": "nobody", "claims": [{"task": "%1$s/main/0", "machine": "%2$s"}]}
                """.formatted(name, MACHINE);
        cell.client(replica).post("/v1/jobs", job);
        assertThat(cell.client(replica)
                        .post("/v1/transactions", claim)
                        .path("outcome")
                        .asText())
                .isEqualTo("COMMITTED");
    }

    /** Makes changes that do not concern the agent, until these replicas no longer have the log from before them. */
    private void writeUntilForgotten(String leader, List<String> replicas) {
        long newest = replicas.stream()
                .mapToLong(name -> LogFiles.newest(cell.data(name)))
                .max()
                .orElseThrow();
        for (int write = 1; replicas.stream().anyMatch(name -> LogFiles.oldest(cell.data(name)) <= newest); write++) {
            cell.client(leader).tryToSend("PUT", "/v1/machines/m-" + write % MACHINES, machine(write));
        }
    }

    /** As large as an attribute may be, so that a few fill a file of the log. */
    private static String machine(int cpuMilli) {
        return """
                {"capacity": {"cpuMilli": %d, "memoryMib": 1024}, "attributes": {"filler": "%s"}}
                """.formatted(cpuMilli, "x".repeat(FILLER));
    }

    private void lead(String name) {
        cell.client(name).awaitDecision("POST", "/v1/members/" + name + ":transfer", "{}");
        cell.client(name)
                .awaitAnswer(
                        "/v1/cell", answer -> answer.path("leader").asText().equals(name));
    }

    private static List<String> others(String name) {
        return ReplicatedCell.NAMES.stream()
                .filter(other -> !other.equals(name))
                .toList();
    }

    private List<String> starts() {
        List<String> lines = new ArrayList<>();
        for (int job = 0; job < jobs; job++) {
            try {
                lines.addAll(Files.readAllLines(ran.resolve("job-" + job)));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        return lines;
    }

    private List<String> eachOnce() {
        List<String> names = new ArrayList<>();
        for (int job = 0; job < jobs; job++) {
            names.add("job-" + job);
        }
        return names;
    }
}
