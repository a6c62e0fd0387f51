package dev.cella.state.web.http;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests and answers over HTTP as messages. A request's fields may be in its path, its query and its body. */
public final class JsonMessages {
    private static final String CELLA_VERSION = "cella-version";
    private static final String CELLA_NEXT_PAGE = "cella-next-page-token";

    private final JsonCodec codec;

    public JsonMessages(JsonCodec codec) {
        this.codec = codec;
    }

    /** Reads a request whose fields are all in its address. */
    <M extends Message> M read(M type, Map<String, String> path, QueryParams query) {
        return checkPath(codec.read(type, addressed(path, query), Optional.empty()), path);
    }

    /** Reads a request with a body, which must not contradict the path. */
    <M extends Message> M read(M type, Map<String, String> path, QueryParams query, byte[] body) {
        return checkPath(codec.read(type, addressed(path, query), Optional.of(Source.json(body))), path);
    }

    private static Map<String, List<String>> addressed(Map<String, String> path, QueryParams query) {
        Map<String, List<String>> addressed = new LinkedHashMap<>();
        query.forEach((name, value) ->
                addressed.computeIfAbsent(name, first -> new ArrayList<>()).add(value));
        path.forEach((name, value) ->
                addressed.computeIfAbsent(name, first -> new ArrayList<>()).add(value));
        return addressed;
    }

    private static <M extends Message> M checkPath(M request, Map<String, String> path) {
        List<Fault> faults = new ArrayList<>();
        path.forEach((name, value) -> {
            FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
            if (!String.valueOf(request.getField(field)).equals(value)) {
                faults.add(Fault.of(name, "is " + value + " in the path and something else in the body"));
            }
        });
        if (!faults.isEmpty()) {
            throw new BadInput(faults);
        }
        return request;
    }

    /** The answer. If it states the version of the cell that it shows, a header does so too. */
    HttpResponse write(Answer<?> answer) {
        return HttpResponse.of(
                headers(answer, MediaType.JSON_UTF_8).build(), HttpData.ofUtf8(codec.write(answer.message())));
    }

    /** One list of the answer as a table. If another page follows, a header has its token. */
    HttpResponse writeCsv(Answer<?> answer, Optional<String> table) {
        ResponseHeadersBuilder headers = headers(answer, MediaType.CSV_UTF_8);
        FieldDescriptor next = answer.message().getDescriptorForType().findFieldByName("next_page_token");
        if (next != null && answer.message().hasField(next)) {
            headers.set(CELLA_NEXT_PAGE, String.valueOf(answer.message().getField(next)));
        }
        return HttpResponse.of(headers.build(), HttpData.ofUtf8(CsvTable.of(answer.message(), table, codec)));
    }

    private static ResponseHeadersBuilder headers(Answer<?> answer, MediaType type) {
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(answer.status()).contentType(type);
        FieldDescriptor version = answer.message().getDescriptorForType().findFieldByName("version");
        if (version != null) {
            headers.set(CELLA_VERSION, String.valueOf(answer.message().getField(version)));
        }
        return headers;
    }
}
