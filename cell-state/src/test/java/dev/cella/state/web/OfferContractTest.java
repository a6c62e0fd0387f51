package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Offers over HTTP (SURFACE 8.2): an allocator makes them; their owner accepts or declines them; the allocator takes them
 * back.
 */
class OfferContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static void machine(String name) {
        CELL.put(
                "/v1/machines/" + name,
                "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4000}, \"attributes\": {\"rack\": \"r1\"}}");
    }

    private static long session(String scheduler) {
        return CELL.put(
                        "/v1/schedulers/" + scheduler + "/sessions/one",
                        "{\"type\": \"bags\", \"lease\": \"1h\", \"offers\": true, \"role\": \"science\", \"weight\": 2}")
                .json()
                .get("session")
                .asLong();
    }

    private static void job(String name, String scheduler) {
        CELL.post("/v1/jobs", """
                {"name": "%s", "type": "batch", "scheduler": "%s", "groups": [{"count": 9, "resources":
                 {"cpuMilli": 1000, "memoryMib": 100}, "run": {"command": ["true"]}}]}
                """.formatted(name, scheduler));
    }

    private static JsonNode offer(String id, long session, String machine) {
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "allocator", "holds": [{"session": %d, "machine": "%s",
                 "resources": {"cpuMilli": 3000, "memoryMib": 1000}, "expiresAfter": "1h"}]}
                """.formatted(id, session, machine))
                .json();
    }

    private static JsonNode offers(String scheduler) {
        return CELL.get("/v1/offers?scheduler=" + scheduler).json().get("offers");
    }

    private static JsonNode claim(String id, String scheduler, String task, String machine, String more) {
        return CELL.post("/v1/transactions", """
                {"id": "%s", "scheduler": "%s", "claims": [{"task": "%s", "machine": "%s"}]%s}
                """.formatted(id, scheduler, task, machine, more))
                .json();
    }

    @Test
    void offer_isListedAcceptedAndGivenBack() {
        machine("accepted");
        long session = session("takes");
        job("bag", "takes");
        assertThat(offer("o1", session, "accepted").get("outcome").asText()).isEqualTo("COMMITTED");
        JsonNode offered = offers("takes").get(0);
        assertThat(offered.get("machine").asText()).isEqualTo("accepted");
        assertThat(offered.get("resources").get("cpuMilli").asLong()).isEqualTo(3000);
        assertThat(offered.get("attributes").get("rack").asText()).isEqualTo("r1");
        assertThat(offered.get("madeAt").asText()).endsWith("Z");
        assertThat(offered.get("expiresAt").asText())
                .isGreaterThan(offered.get("madeAt").asText());
        String name = offered.get("offer").asText();
        JsonNode hold = CELL.get("/v1/machines/accepted").json().at("/holds/0");
        assertThat(hold.get("offer").asText()).isEqualTo(name);
        assertThat(hold.has("job")).isFalse();

        JsonNode kept = claim(
                "a1", "takes", "bag/main/0", "accepted", ", \"offers\": [\"%s\"], \"keep\": true".formatted(name));
        assertThat(kept.get("outcome").asText()).isEqualTo("COMMITTED");
        assertThat(offers("takes").get(0).get("resources").get("cpuMilli").asLong())
                .isEqualTo(2000);
        claim("a2", "takes", "bag/main/1", "accepted", ", \"offers\": [\"%s\"]".formatted(name));
        assertThat(offers("takes")).isEmpty();
        assertThat(CELL.get("/v1/machines/accepted")
                        .json()
                        .get("free")
                        .get("cpuMilli")
                        .asLong())
                .isEqualTo(2000);
        JsonNode gone = claim("a3", "takes", "bag/main/2", "accepted", ", \"offers\": [\"%s\"]".formatted(name));
        assertThat(gone.get("reason").asText()).isEqualTo("NOT_OFFERED");
    }

    @Test
    void claimBeyondTheOffer_isRefusedWhole() {
        machine("beyond");
        long session = session("greedy");
        job("much", "greedy");
        offer("o2", session, "beyond");
        JsonNode decided = CELL.post("/v1/transactions", """
                {"id": "b1", "scheduler": "greedy", "claims": [
                 {"task": "much/main/0", "machine": "beyond"}, {"task": "much/main/1", "machine": "beyond"},
                 {"task": "much/main/2", "machine": "beyond"}, {"task": "much/main/3", "machine": "beyond"}]}
                """).json();
        assertThat(decided.get("outcome").asText()).isEqualTo("REJECTED");
        assertThat(decided.get("reason").asText()).isEqualTo("NOT_OFFERED");
        assertThat(CELL.get("/v1/tasks/much/main/0").json().get("state").asText())
                .isEqualTo("PENDING");
    }

    /** "an offer that ... belongs to another" (bad input): to name it helps as little as to name none. */
    @Test
    void offerOfAnother_isRefusedWholeAndStaysWithItsOwner() {
        machine("owned");
        long owner = session("owner");
        session("thief");
        job("steals", "thief");
        offer("o6", owner, "owned");
        String name = offers("owner").get(0).get("offer").asText();
        for (String asked : new String[] {", \"offers\": [\"" + name + "\"]", ""}) {
            JsonNode refused = claim("t" + asked.length(), "thief", "steals/main/0", "owned", asked);
            assertThat(refused.get("outcome").asText()).isEqualTo("REJECTED");
            assertThat(refused.get("reason").asText()).isEqualTo("NOT_OFFERED");
        }
        assertThat(offers("owner").get(0).get("offer").asText()).isEqualTo(name);
    }

    @Test
    void declined_isGoneAndTheMachineIsRefusedForAWhile() {
        machine("declined");
        long session = session("picky");
        offer("o3", session, "declined");
        String name = offers("picky").get(0).get("offer").asText();
        assertThat(CELL.post("/v1/offers/" + name + ":decline", "{\"refuse\": \"10s\"}")
                        .status())
                .isEqualTo(200);
        assertThat(offers("picky")).isEmpty();
        CELL.post("/v1/offers/" + name + ":decline", "{}").problem(404, "not-found");
        CELL.post("/v1/offers/nonsense:decline", "{}").problem(400, "bad-request");
        assertThat(CELL.post("/v1/schedulers/picky:suppress", "")
                        .json()
                        .get("suppressed")
                        .asBoolean())
                .isTrue();
        assertThat(CELL.post("/v1/schedulers/picky:revive", "")
                        .json()
                        .get("suppressed")
                        .asBoolean())
                .isFalse();
        CELL.post("/v1/schedulers/nobody:revive", "").problem(404, "not-found");
    }

    @Test
    void offersEndWithTheirSession_andByWhoMadeThem() {
        machine("ended");
        long session = session("leaving");
        offer("o4", session, "ended");
        String name = offers("leaving").get(0).get("offer").asText();
        JsonNode others = CELL.post(
                        "/v1/transactions",
                        "{\"id\": \"x1\", \"scheduler\": \"stranger\", \"rescinds\": [\"%s\"]}".formatted(name))
                .json();
        assertThat(others.get("reason").asText()).isEqualTo("NOT_ALLOWED");
        CELL.post(
                "/v1/transactions",
                "{\"id\": \"x2\", \"scheduler\": \"allocator\", \"rescinds\": [\"%s\"]}".formatted(name));
        assertThat(offers("leaving")).isEmpty();
        offer("o5", session, "ended");
        CELL.delete("/v1/schedulers/leaving/sessions/one");
        assertThat(offers("leaving")).isEmpty();
    }

    @Test
    void badOffers_areAnsweredInWords() {
        machine("bad");
        Reply nobody = CELL.post("/v1/transactions", """
                {"id": "n1", "scheduler": "allocator", "holds": [{"machine": "bad",
                 "resources": {"cpuMilli": 1}, "expiresAfter": "1s"}]}
                """);
        assertThat(nobody.problem(400, "bad-request").toString()).contains("holds[0].job");
        Reply weight = CELL.put("/v1/schedulers/w/sessions/one", "{\"offers\": true, \"weight\": 0}");
        assertThat(weight.problem(400, "bad-request").toString()).contains("from 1");
        Reply role = CELL.put("/v1/schedulers/w/sessions/one", "{\"role\": \"x\"}");
        assertThat(role.problem(400, "bad-request").toString()).contains("offers");
        long plain = CELL.put("/v1/schedulers/plain/sessions/one", "{}")
                .json()
                .get("session")
                .asLong();
        assertThat(offer("n2", plain, "bad").get("results").get(0).get("reason").asText())
                .isEqualTo("NOT_ALLOWED");
        assertThat(offer("n3", 999_999, "bad")
                        .get("results")
                        .get(0)
                        .get("reason")
                        .asText())
                .isEqualTo("UNKNOWN_SESSION");
    }
}
