package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.web.RunningCell.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SchedulerContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void open_answersWithANewSession() {
        Reply opened = CELL.put("/v1/schedulers/open/sessions/one", "{\"type\": \"batch\", \"lease\": \"10s\"}");

        assertThat(opened.status()).isEqualTo(200);
        Golden.check("schedulers/open", opened.json());
    }

    @Test
    void renew_keepsTheSessionAndWritesNothing() {
        Reply opened = CELL.put("/v1/schedulers/renew/sessions/one", "{\"type\": \"batch\", \"lease\": \"10s\"}");
        long session = opened.json().get("session").asLong();
        long before = CELL.get("/v1/cell").version();
        Reply renewed = CELL.put(
                "/v1/schedulers/renew/sessions/one",
                "{\"type\": \"batch\", \"lease\": \"10s\", \"session\": %d}".formatted(session));

        assertThat(renewed.json().get("session").asLong()).isEqualTo(session);
        assertThat(CELL.get("/v1/cell").version()).isEqualTo(before);
    }

    @Test
    void openAgain_fencesTheOlder() {
        String path = "/v1/schedulers/fence/sessions/one";
        long older = CELL.put(path, "{}").json().get("session").asLong();
        long newer = CELL.put(path, "{}").json().get("session").asLong();

        assertThat(newer).isGreaterThan(older);
        assertThat(CELL.put(path, "{\"session\": %d}".formatted(older))
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("FENCED");
        assertThat(CELL.delete(path + "?session=" + older)
                        .problem(409, "conflict")
                        .get("detail")
                        .asText())
                .contains("FENCED");
    }

    @Test
    void close_endsTheSession() {
        String path = "/v1/schedulers/close/sessions/one";
        CELL.put(path, "{}");
        Reply closed = CELL.delete(path);

        assertThat(closed.status()).isEqualTo(200);
        Golden.check("schedulers/close", closed.json());
        CELL.delete(path).problem(404, "not-found");
    }

    @Test
    void badInput_saysWhere() {
        assertThat(CELL.put("/v1/schedulers/bad/sessions/one", "{\"lease\": \"forever\"}")
                        .fault("lease"))
                .isNotEmpty();
        assertThat(CELL.put("/v1/schedulers/bad/sessions/one", "{\"lease\": \"2h\"}")
                        .fault("lease"))
                .contains("1h");
        assertThat(CELL.put("/v1/schedulers/bad/sessions/one", "{\"tipe\": \"x\"}")
                        .fault("tipe"))
                .contains("type");
        CELL.put("/v1/schedulers/bad/sessions/One!", "{}").problem(404, "not-found");
    }
}
