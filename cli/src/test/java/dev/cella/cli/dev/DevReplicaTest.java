package dev.cella.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.ReplicaConfiguration;
import dev.cella.client.proto.ServerConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DevReplicaTest {
    private static final ServerConfiguration CELL = ServerConfiguration.newBuilder()
            .setCell("dev")
            .addReplicas(ReplicaConfiguration.newBuilder().setName("r1").setAddress("http://127.0.0.1:7070"))
            .addReplicas(ReplicaConfiguration.newBuilder().setName("r2").setAddress("http://127.0.0.1:7071"))
            .build();

    @Test
    void isOf_anAnswerOfAnotherCell_isFalse() {
        assertThat(DevReplica.isOf(CELL, answer("dev", "http://127.0.0.1:7070", "http://127.0.0.1:7071")))
                .isTrue();
        assertThat(DevReplica.isOf(CELL, answer("prod", "http://127.0.0.1:7070", "http://127.0.0.1:7071")))
                .isFalse();
        assertThat(DevReplica.isOf(CELL, answer("dev", "http://127.0.0.1:7070", "http://127.0.0.1:9999")))
                .isFalse();
        assertThat(DevReplica.isOf(CELL, answer("dev", "http://127.0.0.1:7070")))
                .isFalse();
    }

    private static CellSummary answer(String name, String... replicas) {
        return CellSummary.newBuilder()
                .setName(name)
                .addAllReplicas(List.of(replicas).stream()
                        .map(address ->
                                CellReplica.newBuilder().setAddress(address).build())
                        .toList())
                .build();
    }
}
