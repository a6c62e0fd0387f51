package dev.cella.client.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Internal;
import com.google.protobuf.Message;
import dev.cella.client.proto.Cell;
import dev.cella.client.proto.Feed;
import dev.cella.client.proto.JobOuterClass;
import dev.cella.client.proto.ProblemProto;
import dev.cella.client.proto.TaskOuterClass;
import dev.cella.client.proto.Transaction;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message of the contract, with random content, comes back as it was written. */
class JsonCodecRoundTripTest {
    private static final int ROUNDS = 100;
    private static final long FIRST_SEED = Long.getLong("cella.seed", 1);
    private static final JsonCodec CODEC = new JsonCodec();

    static Stream<Descriptor> messages() {
        return Stream.of(
                        Cell.getDescriptor(),
                        Feed.getDescriptor(),
                        JobOuterClass.getDescriptor(),
                        TaskOuterClass.getDescriptor(),
                        Transaction.getDescriptor(),
                        ProblemProto.getDescriptor())
                .map(FileDescriptor::getMessageTypes)
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void write_thenRead_givesTheSameMessage(Descriptor type) throws ClassNotFoundException {
        Message empty = Internal.getDefaultInstance(
                Class.forName("dev.cella.client.proto." + type.getName()).asSubclass(Message.class));
        for (int round = 0; round < ROUNDS; round++) {
            long seed = FIRST_SEED + round;
            Message message = new RandomMessages(seed).fill(empty);

            assertThat(CODEC.readAnswer(empty, Source.json(CODEC.write(message))))
                    .as("seed %d as JSON", seed)
                    .isEqualTo(message);
            assertThat(CODEC.readAnswer(empty, Source.json(CODEC.writePretty(message))))
                    .as("seed %d as pretty JSON", seed)
                    .isEqualTo(message);
            assertThat(CODEC.readAnswer(empty, Source.yaml(CODEC.writeYaml(message))))
                    .as("seed %d as YAML", seed)
                    .isEqualTo(message);
        }
    }
}
