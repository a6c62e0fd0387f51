package dev.cella.state.web;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import dev.cella.client.Problem;
import dev.cella.client.live.ProblemStatus;
import dev.cella.state.web.http.UnaryMethod;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Binds the table of unary calls, and the streaming calls, to gRPC.
 *
 * <p>It speaks plain gRPC only: a web page cannot send that content type without a preflight request, which this server never
 * grants. Calls run on the blocking executor, in order for each stream.
 */
final class GrpcDoor {
    /** The size of the largest specification or transaction, with some margin. */
    private static final int MESSAGE_BYTES_MAX = 4 << 20;

    private static final String NO_MESSAGE = "The call's bytes are no message of gRPC";

    private final Map<String, ServerServiceDefinition.Builder> services = new TreeMap<>();

    GrpcDoor(List<UnaryMethod<?, ?>> methods, List<ServerMethodDefinition<?, ?>> streams) {
        methods.forEach(this::add);
        streams.forEach(
                stream -> service(stream.getMethodDescriptor().getServiceName()).addMethod(stream));
    }

    private <Q extends Message, A extends Message> void add(UnaryMethod<Q, A> method) {
        service(method.grpc().getServiceName())
                .addMethod(
                        method.grpc(),
                        ServerCalls.asyncUnaryCall((request, observer) -> answer(method, request, observer)));
    }

    private ServerServiceDefinition.Builder service(String name) {
        return services.computeIfAbsent(name, ServerServiceDefinition::builder);
    }

    private static <Q extends Message, A extends Message> void answer(
            UnaryMethod<Q, A> method, Q request, StreamObserver<A> observer) {
        var unused = method.call(request).whenComplete((answer, failure) -> {
            if (failure != null) {
                observer.onError(ProblemStatus.toException(FailureAnswers.problemOf(failure)));
            } else {
                observer.onNext(answer.message());
                observer.onCompleted();
            }
        });
    }

    GrpcService service() {
        GrpcServiceBuilder builder = GrpcService.builder()
                .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
                .useBlockingTaskExecutor(true)
                .exceptionHandler(GrpcDoor::inOurWords)
                .intercept(new CountedMessages())
                .maxRequestMessageLength(MESSAGE_BYTES_MAX);
        services.values().forEach(service -> builder.addService(service.build()));
        return builder.build();
    }

    /**
     * Translates how the library answers a call that ends without a message, or that has two where one is expected: as an
     * internal failure, without a problem.
     */
    private static final class CountedMessages implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            return next.startCall(
                    new SimpleForwardingServerCall<>(call) {
                        @Override
                        public void close(Status status, Metadata trailers) {
                            if (status.getCode() == Status.Code.INTERNAL && !ProblemStatus.isIn(trailers)) {
                                StatusRuntimeException told = ProblemStatus.toException(Problem.badRequest(NO_MESSAGE));
                                super.close(told.getStatus(), told.getTrailers());
                            } else {
                                super.close(status, trailers);
                            }
                        }
                    },
                    headers);
        }
    }

    /** Translates failures before the call, and unexpected ones, to the same form as all others. */
    private static Status inOurWords(RequestContext context, Status status, Throwable failure, Metadata trailers) {
        if (ProblemStatus.isIn(trailers) || FailureAnswers.isGone(failure)) {
            return status;
        }
        StatusRuntimeException told = ProblemStatus.toException(problemOf(status, failure));
        trailers.merge(told.getTrailers());
        return told.getStatus();
    }

    private static Problem problemOf(Status status, Throwable failure) {
        if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
            return Problem.tooLarge("The message is larger than " + MESSAGE_BYTES_MAX + " bytes");
        }
        return failure instanceof StatusRuntimeException || isCutShort(failure)
                ? Problem.badRequest(NO_MESSAGE)
                : FailureAnswers.problemOf(failure);
    }

    /**
     * Recognises how the reader of frames reports that the bytes ended early. The call itself answers its own failures.
     */
    private static boolean isCutShort(Throwable failure) {
        return failure instanceof IndexOutOfBoundsException;
    }

    /**
     * Streams are long and have no total length, so each message is bounded instead. A request that is no gRPC gets the usual
     * answer for that.
     */
    static HttpService withoutBounds(HttpService grpc) {
        return grpc.decorate((delegate, context, request) -> {
            if (request.method() != HttpMethod.POST) {
                throw Problem.methodNotAllowed("This is a call of gRPC, which comes by POST");
            }
            context.clearRequestTimeout();
            context.setMaxRequestLength(0);
            return delegate.serve(context, request);
        });
    }
}
