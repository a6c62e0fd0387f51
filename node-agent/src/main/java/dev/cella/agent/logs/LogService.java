package dev.cella.agent.logs;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.http.TaskOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Serves a task's output: {@code GET /v1/logs/{machine}/{job version}/{group}/{index}/{attempt}}, with {@code
 * stream=stdout|stderr|both}, {@code tail=N} lines and {@code follow=true}. It answers raw text in chunks; 404 if
 * there is none here, 410 if it is gone. Headers say how much was dropped before it, how much of a stream is kept, and where in
 * its stream the answer begins.
 *
 * <p>A following reader holds no thread: the next bytes wake it. Files are read on the blocking executor.
 */
public final class LogService implements HttpService {
    public static final String PATH = "/v1/logs/{machine}/{job}/{group}/{index}/{attempt}";

    private static final Set<String> PARAMETERS = Set.of("stream", "tail", "follow");

    private final OutputStore store;

    public LogService(OutputStore store) {
        this.store = store;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        Executor files = context.blockingTaskExecutor();
        return HttpResponse.of(() -> answer(context, files), files);
    }

    private HttpResponse answer(ServiceRequestContext context, Executor files) {
        try {
            AttemptKey key = key(context);
            Question question = Question.parse(context);
            Optional<Path> output = store.find(key);
            if (output.isEmpty()) {
                return store.isRemoved(key)
                        ? refusal(HttpStatus.GONE, "the output of this attempt was removed to make room")
                        : refusal(HttpStatus.NOT_FOUND, "there is no output of this attempt here");
            }
            return stream(new OutputReader(output.get(), question.streams, question.tail, question.follows), files);
        } catch (IllegalArgumentException bad) {
            return refusal(HttpStatus.BAD_REQUEST, String.valueOf(bad.getMessage()));
        } catch (IOException failure) {
            return refusal(HttpStatus.INTERNAL_SERVER_ERROR, "the output cannot be read");
        }
    }

    /** The attempt that a request names. Anything else is refused with an {@link IllegalArgumentException}. */
    public static AttemptKey key(ServiceRequestContext context) {
        return new AttemptKey(
                String.valueOf(context.pathParam("machine")),
                number(context, "job", Long.MAX_VALUE),
                (int) number(context, "group", Integer.MAX_VALUE),
                (int) number(context, "index", Integer.MAX_VALUE),
                (int) number(context, "attempt", Integer.MAX_VALUE));
    }

    private static long number(ServiceRequestContext context, String parameter, long max) {
        String text = String.valueOf(context.pathParam(parameter));
        if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) > max) {
            throw new IllegalArgumentException(parameter + " is a number, not " + text);
        }
        return Long.parseLong(text);
    }

    /** The answer to a request that cannot be served. */
    public static HttpResponse refusal(HttpStatus status, String detail) {
        return HttpResponse.of(status, MediaType.PLAIN_TEXT_UTF_8, detail + "\n");
    }

    private HttpResponse stream(OutputReader reader, Executor files) {
        HttpResponseWriter response = HttpResponse.streaming();
        ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.PLAIN_TEXT_UTF_8)
                .addLong(TaskOutput.DROPPED_HEADER, reader.droppedBytes())
                .addLong(TaskOutput.LIMIT_HEADER, store.streamBytesMax());
        reader.offset().ifPresent(offset -> headers.addLong(TaskOutput.OFFSET_HEADER, offset));
        response.write(headers.build());
        proceed(reader, response, files);
        return response;
    }

    /** Writes what there is, and continues when that was sent and there may be more. */
    private static void proceed(OutputReader reader, HttpResponseWriter response, Executor files) {
        try {
            Optional<ByteBuffer> bytes = reader.next();
            if (bytes.isPresent()) {
                response.write(HttpData.wrap(bytes.get().array()));
                proceedAfter(response.whenConsumed(), reader, response, files);
            } else if (reader.isAtEnd()) {
                response.close();
            } else if (response.isOpen()) {
                proceedAfter(OutputReader.more(), reader, response, files);
            }
        } catch (IOException failure) {
            response.close(failure);
        }
    }

    /** Does not continue if the reader has disconnected. */
    private static void proceedAfter(
            CompletableFuture<?> event, OutputReader reader, HttpResponseWriter response, Executor files) {
        CompletableFuture<Void> unused = event.thenRunAsync(() -> proceed(reader, response, files), files);
    }

    /** The parameters of the query. */
    private record Question(List<Stream> streams, OptionalLong tail, boolean follows) {
        static Question parse(ServiceRequestContext context) {
            context.queryParams().names().stream()
                    .filter(name -> !PARAMETERS.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw new IllegalArgumentException("no such parameter: " + name);
                    });
            return new Question(
                    streams(context.queryParams().get("stream", "both")),
                    tail(context),
                    follows(context.queryParams().get("follow", "false")));
        }

        private static List<Stream> streams(String word) {
            return Stream.parse(word)
                    .orElseThrow(() -> new IllegalArgumentException("stream is stdout, stderr or both, not " + word));
        }

        private static OptionalLong tail(ServiceRequestContext context) {
            String text = context.queryParam("tail");
            if (text == null) {
                return OptionalLong.empty();
            }
            if (!text.matches("[0-9]{1,9}")) {
                throw new IllegalArgumentException("tail is a number of lines, not " + text);
            }
            return OptionalLong.of(Long.parseLong(text));
        }

        private static boolean follows(String word) {
            if (!word.equals("true") && !word.equals("false")) {
                throw new IllegalArgumentException("follow is true or false, not " + word);
            }
            return word.equals("true");
        }
    }
}
