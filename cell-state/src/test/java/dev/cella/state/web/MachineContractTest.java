package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceBlockingStub;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.state.web.RunningCell.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MachineContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void attributesSetByHand_standBesideTheAgentsOwn_andSurviveItsRestart() {
        register("boot-1");
        assertThat(CELL.put(
                                "/v1/machines/m-agent",
                                "{\"capacity\": {\"cpuMilli\": 1000, \"memoryMib\": 1024, \"diskMib\": 9},"
                                        + " \"attributes\": {\"rack\": \"r7\", \"os\": \"Linux\"}}")
                        .status())
                .isEqualTo(200);
        assertThat(CELL.get("/v1/machines/m-agent").json().at("/attributes").toString())
                .isEqualTo("{\"cella.byHand\":\"rack\",\"os\":\"Linux\",\"rack\":\"r7\"}");
        register("boot-2");
        assertThat(CELL.get("/v1/machines/m-agent").json().at("/attributes").toString())
                .isEqualTo("{\"cella.byHand\":\"rack\",\"os\":\"Linux\",\"rack\":\"r7\"}");
        assertThat(CELL.get("/v1/machines/m-agent")
                        .json()
                        .at("/capacity/diskMib")
                        .toString())
                .isEqualTo("9");
    }

    private static void register(String bootId) {
        var unused = Stubs.of(CELL.address(), AgentServiceBlockingStub.class)
                .register(RegisterRequest.newBuilder()
                        .setMachine("m-agent")
                        .setBootId(bootId)
                        .setAddress("http://127.0.0.1:1")
                        .putCapacity("cpuMilli", 1_000)
                        .putCapacity("memoryMib", 1_024)
                        .putCapacity("diskMib", 9)
                        .putAttributes("os", "Linux")
                        .build());
    }

    @Test
    void put_newMachine_showsItReady() {
        Reply put = CELL.put(
                "/v1/machines/m-put",
                "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 8192}, \"attributes\": {\"rack\": \"r1\"}}");

        assertThat(put.status()).isEqualTo(200);
        Golden.check("machines/put", put.json());
        assertThat(put.header("cella-version")).isEqualTo(Long.toString(put.version()));
        assertThat(CELL.get("/v1/machines/m-put").json().get("registeredVersion"))
                .isEqualTo(put.json().get("registeredVersion"));
    }

    @Test
    void put_again_resizesIt() {
        CELL.putMachine("m-resize", 4000, 8192);
        Reply resized = CELL.putMachine("m-resize", 2000, 4096);

        assertThat(resized.json().at("/capacity/cpuMilli").asLong()).isEqualTo(2000);
        assertThat(resized.json().at("/free/memoryMib").asLong()).isEqualTo(4096);
    }

    @Test
    void put_belowWhatIsHeld_isAConflictThatSaysTheAmount() {
        CELL.putMachine("m-held", 4000, 8192);
        CELL.submit("held", 1);
        CELL.place("held-1", "held/main/0", "m-held");

        assertThat(CELL.putMachine("m-held", 100, 8192)
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("500")
                .contains("cpuMilli");
    }

    @Test
    void put_belowWhatIsHeldByForce_fallsToItWithTheReleases() {
        CELL.putMachine("m-forced", 1000, 8192);
        CELL.submit("forced", 1);
        CELL.place("forced-1", "forced/main/0", "m-forced");
        Reply held = CELL.put(
                "/v1/machines/m-forced", "{\"capacity\": {\"cpuMilli\": 100, \"memoryMib\": 8192}, \"force\": true}");

        assertThat(held.status()).as(held.body()).isEqualTo(200);
        assertThat(held.json().at("/capacity/cpuMilli").asLong()).isEqualTo(500);
        assertThat(held.json().at("/free/cpuMilli").asLong()).isZero();
        assertThat(held.json().at("/capacityWanted/cpuMilli").asLong()).isEqualTo(100);

        CELL.post("/v1/tasks/forced/main/0:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}");
        CELL.post("/v1/tasks/forced/main/0:status", "{\"attempt\": 1, \"state\": \"FINISHED\"}");
        Reply free = CELL.get("/v1/machines/m-forced");
        assertThat(free.json().at("/capacity/cpuMilli").asLong()).isEqualTo(100);
        assertThat(free.json().has("capacityWanted")).isFalse();
    }

    @Test
    void put_badInput_saysEveryFaultWithItsPlace() {
        Reply typo = CELL.put(
                "/v1/machines/m-bad", "{\"capacity\": {\"cpuMili\": 1, \"memoryMib\": \"much\"}, \"atributes\": {}}");

        assertThat(typo.fault("capacity.cpuMili")).contains("did you mean cpuMilli?");
        assertThat(typo.fault("capacity.memoryMib")).isNotEmpty();
        assertThat(typo.fault("atributes")).contains("did you mean attributes?");
        assertThat(CELL.put("/v1/machines/m-bad", "").fault("capacity")).isNotEmpty();
        assertThat(CELL.put("/v1/machines/m-bad", "{\"capacity\": {\"cpuMilli\": 1}, \"attributes\": {\"\": \"x\"}}")
                        .fault("attributes"))
                .isNotEmpty();
        CELL.put("/v1/machines/M_BAD", "{\"capacity\": {\"cpuMilli\": 1}}").problem(404, "not-found");
        CELL.get("/v1/machines/m-bad").problem(404, "not-found");
    }

    @Test
    void drain_keepingTasks_andReady_changeTheStatus() {
        CELL.putMachine("m-drain", 4000, 8192);

        Reply drained = CELL.post("/v1/machines/m-drain:drain", "{\"tasks\": \"keep\"}");
        assertThat(drained.json().get("status").asText()).isEqualTo("DRAINED");
        assertThat(CELL.get("/v1/machines?state=drained").json().get("machines").findValuesAsText("name"))
                .containsExactly("m-drain");
        assertThat(CELL.post("/v1/machines/m-drain:ready", "")
                        .json()
                        .get("status")
                        .asText())
                .isEqualTo("READY");
        assertThat(CELL.post("/v1/machines/m-drain:drain", "{\"tasks\": \"keep\", \"deadline\": \"10m\"}")
                        .fault("tasks"))
                .contains("leave out");
        assertThat(CELL.post("/v1/machines/m-drain:drain", "{\"deadline\": \"1m\", \"batch\": \"eat\"}")
                        .fault("batch"))
                .contains("FINISH");
        assertThat(CELL.post("/v1/machines/m-drain:drain", "{\"tasks\": \"eat\"}")
                        .fault("tasks"))
                .contains("keep");
        CELL.post("/v1/machines/m-nosuch:drain", "").problem(404, "not-found");
    }

    @Test
    void drain_withoutADeadline_stopsNothing() {
        CELL.putMachine("m-never", 4000, 8192);
        CELL.submit("stays", 1);
        CELL.place("stays-1", "stays/main/0", "m-never");

        Reply drained = CELL.post("/v1/machines/m-never:drain", "");

        assertThat(drained.json().get("status").asText()).isEqualTo("DRAINING");
        assertThat(CELL.get("/v1/tasks/stays/main/0").json().get("state").asText())
                .isEqualTo("PLACED");
        assertThat(CELL.post("/v1/machines/m-never:drain", "{\"batch\": \"move\"}")
                        .fault("batch"))
                .contains("deadline");
    }

    @Test
    void changedAfter_ofAMachineThatIsRemoved_isAnswered() {
        CELL.putMachine("m-gone", 4000, 8192);
        String after = "wait=60s&changedAfter=" + CELL.get("/v1/cell").version();
        CELL.get("/v1/machines");
        CompletableFuture<Reply> one = CompletableFuture.supplyAsync(() -> CELL.get("/v1/machines/m-gone?" + after));
        CompletableFuture<Reply> list = CompletableFuture.supplyAsync(() -> CELL.get("/v1/machines?" + after));

        CELL.delete("/v1/machines/m-gone");

        assertThat(one).succeedsWithin(Duration.ofSeconds(50));
        one.join().problem(404, "not-found");
        assertThat(list).succeedsWithin(Duration.ofSeconds(50));
        assertThat(list.join().json().get("machines").findValuesAsText("name")).doesNotContain("m-gone");
    }

    @Test
    void holds_areShownWithTheMachineAndInTheExplanation() {
        CELL.putMachine("m-held", 4000, 8192);
        CELL.submit("holder", 1);

        CELL.post("/v1/transactions", """
            {"id": "hold-1", "scheduler": "batch", "holds": [{"job": "holder", "machine": "m-held",
             "resources": {"cpuMilli": 3000, "memoryMib": 64}, "expiresAfter": "1h"}]}\
            """);

        JsonNode hold = CELL.get("/v1/machines/m-held").json().at("/holds/0");
        assertThat(hold.get("job").asText()).isEqualTo("holder");
        assertThat(hold.at("/held/cpuMilli").asLong()).isEqualTo(3000);
        JsonNode ofJob = CELL.get("/v1/jobs/holder:explain").json().at("/holds/0");
        assertThat(ofJob.get("machine").asText()).isEqualTo("m-held");
        assertThat(ofJob.get("expiresIn").asText()).isNotEqualTo("0s");
    }

    @Test
    void drain_atOnce_movesWhatIsThere() {
        CELL.putMachine("m-empty", 4000, 8192);
        CELL.submit("moved", 1);
        long placed = CELL.place("moved-1", "moved/main/0", "m-empty")
                .json()
                .get("version")
                .asLong();

        Reply drained = CELL.post("/v1/machines/m-empty:drain", "{\"deadline\": \"0s\", \"batch\": \"move\"}");

        assertThat(drained.status()).isEqualTo(200);
        JsonNode task = CELL.get("/v1/tasks/moved/main/0?wait=30s&changedAfter=" + placed)
                .json();
        assertThat(task.get("state").asText()).isEqualTo("KILLED");
        assertThat(task.get("reason").asText()).isEqualTo("DRAINED");
        assertThat(CELL.get("/v1/machines/m-empty").json().get("status").asText())
                .isEqualTo("DRAINED");
    }

    @Test
    void delete_emptyMachine_removesIt() {
        CELL.putMachine("m-gone", 4000, 8192);
        Reply removed = CELL.delete("/v1/machines/m-gone");

        assertThat(removed.status()).isEqualTo(200);
        Golden.check("machines/delete", removed.json());
        CELL.get("/v1/machines/m-gone").problem(404, "not-found");
        CELL.delete("/v1/machines/m-gone").problem(404, "not-found");
    }

    @Test
    void delete_withTasksOnIt_isAConflictUnlessForced() {
        CELL.putMachine("m-busy", 4000, 8192);
        CELL.submit("busy", 1);
        CELL.place("busy-1", "busy/main/0", "m-busy");

        assertThat(CELL.delete("/v1/machines/m-busy")
                        .problem(409, "conflict")
                        .get("hint")
                        .asText())
                .isNotEmpty();
        assertThat(CELL.delete("/v1/machines/m-busy?force=true").status()).isEqualTo(200);
        assertThat(CELL.get("/v1/tasks/busy/main/0").json().get("state").asText())
                .isEqualTo("LOST");
    }

    @Test
    void list_pagesShowOneVersion() {
        for (int machine = 0; machine < 5; machine++) {
            CELL.putMachine("m-page-" + machine, 1000, 1024);
        }
        Reply first = CELL.get("/v1/machines?limit=2");
        CELL.putMachine("m-page-later", 1000, 1024);
        Reply second = CELL.get("/v1/machines?limit=1000&pageToken="
                + first.json().get("nextPageToken").asText());

        assertThat(RunningCell.names(first.json())).containsExactly("version", "nextPageToken", "machines");
        assertThat(first.json().get("machines")).hasSize(2);
        assertThat(second.version()).isEqualTo(first.version());
        assertThat(second.json().get("machines").findValuesAsText("name"))
                .contains("m-page-4")
                .doesNotContain("m-page-later");
        assertThat(RunningCell.names(second.json())).containsExactly("version", "machines");
    }

    @Test
    void list_unknownTokenOrLimit_isRefused() {
        CELL.get("/v1/machines?pageToken=nosuch").problem(410, "gone");
        assertThat(CELL.get("/v1/machines?limit=0").fault("limit")).contains("1000");
        assertThat(CELL.get("/v1/machines?limit=1001").fault("limit")).contains("1000");
        assertThat(CELL.get("/v1/machines?limt=3").fault("limt")).contains("did you mean limit?");
        assertThat(CELL.get("/v1/machines?state=broken").fault("state")).contains("READY");
    }

    @Test
    void put_machineWithOtherDimensions_makesThemKnown() {
        Reply put = CELL.put("/v1/machines/m-wide", """
            {"capacity": {"cpuMilli": 4000, "memoryMib": 8192, "diskMib": 100, "fpgas": 2},
             "members": {"ports": "8080, 8000-8003", "lanes": "0-1"}}\
            """);

        assertThat(put.status()).isEqualTo(200);
        Golden.check("machines/sets", put.json());
        assertThat(CELL.put("/v1/machines/m-slip", "{\"capacity\": {\"cpuMilli\": 1, \"fpga\": 2}}")
                        .fault("capacity.fpga"))
                .contains("did you mean fpgas?");
        assertThat(CELL.put(
                                "/v1/machines/m-slip",
                                "{\"capacity\": {\"cpuMilli\": 1}, \"members\": {\"ports\": \"1-2,2\"}}")
                        .fault("members.ports"))
                .contains("twice: 2");
        assertThat(CELL.put("/v1/machines/m-slip", "{\"capacity\": {\"cpuMilli\": 1}, \"members\": {\"fpgas\": \"1\"}}")
                        .fault("members.fpgas"))
                .contains("no set");
        CELL.put("/v1/machines/m-slip", "{\"capacity\": {\"cpuMilli\": 1, \"ports\": 4}}")
                .problem(400, "bad-request");
        assertThat(CELL.post(
                                "/v1/jobs",
                                RunningCell.job("slip", 1).replace("\"memoryMib\"", "\"qubits\": 1, \"memoryMib\""))
                        .fault("groups[0].resources.qubits"))
                .contains("fpgas");
        CELL.get("/v1/machines/m-slip").problem(404, "not-found");
    }

    @Test
    void get_unknownVerb_listsTheVerbs() {
        assertThat(CELL.post("/v1/machines/m1:explode", "")
                        .problem(404, "not-found")
                        .get("hint")
                        .asText())
                .contains(":drain")
                .contains(":ready");
    }
}
