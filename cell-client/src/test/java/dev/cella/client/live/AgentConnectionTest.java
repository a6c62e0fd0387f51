package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceImplBase;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.SpecificationRequest;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class AgentConnectionTest {
    private static final class FakeCell extends AgentServiceImplBase {
        @Override
        public void register(RegisterRequest request, StreamObserver<Registration> out) {
            out.onNext(Registration.newBuilder()
                    .setCell(request.getMachine())
                    .setRegisteredVersion(4)
                    .build());
            out.onCompleted();
        }

        @Override
        public void getSpecification(SpecificationRequest request, StreamObserver<Job> out) {
            out.onError(ProblemStatus.toException(Problem.gone("no such generation")));
        }
    }

    @Test
    void call_isAnswered() {
        try (FakeServer server = new FakeServer(new FakeCell());
                CellConnection connection = CellConnection.open(server.address())) {
            AgentConnection agent = new AgentConnection(connection);

            Registration registration = agent.register(
                            RegisterRequest.newBuilder().setMachine("m-1").build())
                    .join();

            assertThat(registration.getRegisteredVersion()).isEqualTo(4);
            assertThat(registration.getCell()).isEqualTo("m-1");
        }
    }

    @Test
    void refusal_isAProblem() {
        try (FakeServer server = new FakeServer(new FakeCell());
                CellConnection connection = CellConnection.open(server.address())) {
            AgentConnection agent = new AgentConnection(connection);

            assertThatThrownBy(() -> agent.specification(SpecificationRequest.getDefaultInstance())
                            .join())
                    .hasCauseInstanceOf(Problem.class)
                    .hasMessageContaining("no such generation");
        }
    }
}
