package dev.cella.state.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.json.JsonSchema;
import dev.cella.client.json.JsonSchema.Direction;
import dev.cella.client.proto.Job;
import dev.cella.state.web.http.HttpDoor;
import org.jspecify.annotations.Nullable;

/** Machine-readable descriptions of the server's requests and answers. They are made on the first request. */
final class Documents {
    private final HttpDoor door;
    private volatile @Nullable String openApi;

    Documents(HttpDoor door) {
        this.door = door;
    }

    /** {@code GET /openapi.json}; with {@code format=csv} the calls as a table. */
    HttpResponse openApi(ServiceRequestContext context, HttpRequest http) {
        if (context.queryParams().get("format", "json").equals("csv")) {
            return HttpResponse.of(HttpStatus.OK, MediaType.CSV_UTF_8, door.callsAsCsv());
        }
        String made = openApi;
        if (made == null) {
            made = door.openApi();
            openApi = made;
        }
        return json(made);
    }

    /** {@code GET /schemas/job.json} */
    HttpResponse job(ServiceRequestContext context, HttpRequest http) {
        return json(JsonSchema.document(Job.getDescriptor(), Direction.FILE).toPrettyString());
    }

    private static HttpResponse json(String text) {
        return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, text);
    }
}
