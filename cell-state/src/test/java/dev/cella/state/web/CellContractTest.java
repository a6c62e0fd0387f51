package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.ProblemType;
import dev.cella.state.web.RunningCell.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CellContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void cell_withAMachineAndAJob_isSummedUp() {
        CELL.putMachine("m1", 4000, 8192);
        CELL.submit("summed", 2);
        CELL.place("summed-1", "summed/main/0", "m1");
        Reply cell = CELL.get("/v1/cell");

        Golden.check("cell", cell.json());
        assertThat(cell.json().at("/replicas/0/address").asText()).isEqualTo(CELL.address());
        assertThat(cell.header("content-type")).isEqualTo("application/json; charset=utf-8");
    }

    @Test
    void unknownPath_isAProblemToo() {
        CELL.get("/v1/nodes").problem(404, "not-found");
        CELL.get("/nosuch").problem(404, "not-found");
        CELL.get("/v1/cell/").problem(404, "not-found");
        CELL.get("/v1/cell%00").problem(400, "bad-request");
    }

    @Test
    void nameThatNothingCanHave_isNotFoundAndSaysWhy() {
        assertThat(hint("/v1/jobs/" + "j".repeat(64)))
                .contains("64 characters, at most 63", ":explain, :promote, :revert, :scale");
        assertThat(hint("/v1/tasks/hello/" + "g".repeat(64) + "/0")).contains("64 characters, at most 63");
        assertThat(hint("/v1/machines/" + "m".repeat(254))).contains("254 characters, at most 253");
        assertThat(hint("/v1/machines/" + "m".repeat(253))).isEmpty();
        assertThat(hint("/v1/jobs/b1;x=1")).contains("is no name: \"b1;x=1\"");
    }

    private static String hint(String path) {
        return CELL.get(path).problem(404, "not-found").path("hint").asText();
    }

    @Test
    void wrongMethod_saysWhichAreRight() {
        Reply wrong = CELL.delete("/v1/cell");

        wrong.problem(405, "method-not-allowed");
        assertThat(wrong.header("allow")).isEqualTo("GET, HEAD");
        assertThat(CELL.send("OPTIONS", "/v1/jobs", "").header("allow")).isEqualTo("GET, HEAD, POST");
        assertThat(CELL.send("PATCH", "/v1/machines/m1", "").header("allow")).isEqualTo("DELETE, GET, HEAD, PUT");
    }

    @Test
    void head_isAGetWithoutTheBody() {
        Reply head = CELL.send("HEAD", "/v1/cell", "");

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.header("cella-version")).isNotEmpty();
    }

    @Test
    void bodyWhereNoneIsTaken_isABadRequest() {
        CELL.send("GET", "/v1/cell", "{}", "Content-Type", "application/json").problem(400, "bad-request");
    }

    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void problemPage_ofEveryType_explainsItInASentence(ProblemType type) {
        Reply page = CELL.get(type.address());

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(page.body()).contains(String.valueOf(type.status())).endsWith(".\n");
        CELL.get("/problems/nosuch").problem(404, "not-found");
    }

    @Test
    void pagesForOperators_answer() {
        assertThat(CELL.get("/healthz").status()).isEqualTo(200);
        assertThat(CELL.get("/readyz").status()).isEqualTo(200);
        assertThat(CELL.get("/").body()).contains("<title>Cella</title>").contains("/dashboard/main.js");
        assertThat(CELL.get("/docs").body()).contains("POST /v1/jobs", "GET /v1/tasks/{job}/{group}/{index}:logs");
        CELL.delete("/").problem(405, "method-not-allowed");
    }

    @Test
    void metrics_ofTheOneReplica_sayThatItLeads() {
        assertThat(CELL.get("/metrics").body()).contains("cella_cell_leads 1.0");
    }

    @Test
    void noAnswer_hasACorsHeader() {
        Reply reply = CELL.get("/v1/cell", "Origin", CELL.address());

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }
}
