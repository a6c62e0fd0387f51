package dev.cella.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.ProblemDetails;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {
    private static final JsonCodec JSON = new JsonCodec();

    @Test
    void toMessage_printsAsTheContractSays() {
        Problem problem = Problem.badRequest(List.of(
                        Fault.of("groups[0].resources.cpuMili", "no such field, did you mean cpuMilli?"),
                        Fault.of("name", "is required")))
                .withHint("write cpuMilli");

        assertThat(JSON.write(problem.toMessage()))
                .isEqualTo("{\"type\":\"/problems/bad-request\",\"title\":\"The request is not understood\","
                        + "\"status\":400,\"detail\":\"groups[0].resources.cpuMili: no such field, did you mean"
                        + " cpuMilli? (and 1 more)\",\"hint\":\"write cpuMilli\",\"errors\":["
                        + "{\"path\":\"groups[0].resources.cpuMili\",\"message\":\"no such field, did you mean cpuMilli?\"},"
                        + "{\"path\":\"name\",\"message\":\"is required\"}]}");
    }

    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void problem_ofEveryType_comesBackFromJson(ProblemType type) {
        Problem problem = Problem.of(type, "what happened");

        Problem back = Problem.fromMessage(
                JSON.readAnswer(ProblemDetails.getDefaultInstance(), Source.json(JSON.write(problem.toMessage()))));

        assertThat(back.type()).isEqualTo(type);
        assertThat(back.detail()).isEqualTo("what happened");
        assertThat(back.hint()).isEmpty();
    }

    @Test
    void noLeader_saysWhereTheLeaderIs() {
        Problem problem = Problem.noLeader("not here").withLeader(URI.create("http://10.0.0.2:7070"));

        Problem back = Problem.fromMessage(problem.toMessage());

        assertThat(back.leader()).contains(URI.create("http://10.0.0.2:7070"));
    }

    @Test
    void fromMessage_withALeaderThatIsNoAddress_leavesItOut() {
        ProblemDetails garbled = Problem.noLeader("not here").toMessage().toBuilder()
                .setLeader("http://not an address")
                .build();

        assertThat(Problem.fromMessage(garbled).leader()).isEmpty();
    }

    @Test
    void fromMessage_ofAnUnknownType_goesByItsStatus() {
        ProblemDetails newer = ProblemDetails.newBuilder()
                .setType("/problems/new")
                .setStatus(409)
                .build();

        assertThat(Problem.fromMessage(newer).type()).isEqualTo(ProblemType.CONFLICT);
    }
}
