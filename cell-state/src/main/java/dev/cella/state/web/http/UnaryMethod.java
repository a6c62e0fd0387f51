package dev.cella.state.web.http;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import dev.cella.client.json.JsonCodec;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One call with one request and one answer: a row of the table from which both the gRPC door and the HTTP door are made. So
 * neither can have a call that the other lacks, or check it in another way.
 *
 * @param grpc the generated description, which also carries the protobuf one and its {@code google.api.http} annotation
 * @param handler answers, or fails with a {@link dev.cella.client.Problem}; called on a thread that may wait for a short lock
 */
public record UnaryMethod<Q extends Message, A extends Message>(
        MethodDescriptor<Q, A> grpc, Function<Q, CompletableFuture<Answer<A>>> handler) {

    Message emptyRequest() {
        Q prototype = ((PrototypeMarshaller<Q>) grpc.getRequestMarshaller()).getMessagePrototype();
        return Objects.requireNonNull(prototype);
    }

    Message emptyAnswer() {
        A prototype = ((PrototypeMarshaller<A>) grpc.getResponseMarshaller()).getMessagePrototype();
        return Objects.requireNonNull(prototype);
    }

    /** The HTTP annotation of the call; empty if it is gRPC only. */
    Optional<HttpRule> httpRule() {
        Descriptors.MethodDescriptor method =
                ((ProtoMethodDescriptorSupplier) grpc.getSchemaDescriptor()).getMethodDescriptor();
        return method.getOptions().hasExtension(AnnotationsProto.http)
                ? Optional.of(method.getOptions().getExtension(AnnotationsProto.http))
                : Optional.empty();
    }

    /** Returns whether it changes nothing, so that any replica may answer it. */
    public boolean isRead() {
        return httpRule()
                .filter(rule -> rule.getPatternCase() == HttpRule.PatternCase.GET)
                .isPresent();
    }

    /** Calls with these parameters and waits for the answer, which it returns as one line of JSON. */
    public String answer(Map<String, String> parameters, JsonCodec codec) {
        Map<String, List<String>> query = new HashMap<>();
        parameters.forEach((name, value) -> query.put(name, List.of(value)));
        return codec.write(
                call(codec.read(emptyRequest(), query, Optional.empty())).join().message());
    }

    /** Calls the handler. Any failure of the handler fails the future. */
    @SuppressWarnings("unchecked") // made from emptyRequest
    public CompletableFuture<Answer<A>> call(Message request) {
        try {
            return handler.apply((Q) request);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
