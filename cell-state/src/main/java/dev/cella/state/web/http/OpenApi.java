package dev.cella.state.web.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.cella.client.json.JsonSchema;
import dev.cella.client.json.JsonSchema.Direction;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The server's HTTP interface as an OpenAPI 3.1 document. It is made from the same table of calls that serves them, and from
 * their descriptors, so it cannot differ from what is served.
 */
public final class OpenApi {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String SCHEMAS = "#/components/schemas/";
    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z_A-Z]+)}");

    private final JsonSchema requests = new JsonSchema(Direction.REQUEST, SCHEMAS + "Request.");
    private final JsonSchema answers = new JsonSchema(Direction.ANSWER, SCHEMAS);
    private final ObjectNode paths = NODES.objectNode();

    private OpenApi() {}

    /**
     * The document.
     *
     * @param pages paths of routes that are no calls: text and pages
     */
    public static ObjectNode document(
            Collection<UnaryMethod<?, ?>> methods,
            Collection<StreamMethod<?>> streams,
            List<String> pages,
            Descriptor problem) {
        OpenApi api = new OpenApi();
        methods.forEach(api::addUnary);
        streams.forEach(api::addStream);
        pages.forEach(api::addPage);
        return api.document(problem);
    }

    private ObjectNode document(Descriptor problem) {
        ObjectNode problemReference = answers.reference(problem);
        ObjectNode document = NODES.objectNode().put("openapi", "3.1.0");
        document.putObject("info").put("title", "Cella").put("version", "v1");
        document.set("paths", paths);
        ObjectNode components = document.putObject("components");
        ObjectNode schemas = components.putObject("schemas");
        requests.definitions().forEach((name, schema) -> schemas.set("Request." + name, schema));
        answers.definitions().forEach(schemas::set);
        ObjectNode failure =
                components.putObject("responses").putObject("Problem").put("description", "Why it was not done");
        failure.putObject("content").putObject("application/problem+json").set("schema", problemReference);
        return document;
    }

    private void addUnary(UnaryMethod<?, ?> method) {
        method.httpRule().ifPresent(rule -> {
            boolean takesBody = rule.getBody().equals("*");
            String path = path(rule).replace("=**", "");
            ObjectNode operation = operation(path, verb(rule), method.grpc().getBareMethodName());
            Descriptor request = method.emptyRequest().getDescriptorForType();
            addParameters(operation, path, request, takesBody, method.isRead());
            if (takesBody) {
                operation
                        .putObject("requestBody")
                        .putObject("content")
                        .putObject("application/json")
                        .set("schema", requests.reference(request));
            }
            ObjectNode content = success(operation);
            content.putObject("application/json")
                    .set("schema", answers.reference(method.emptyAnswer().getDescriptorForType()));
        });
    }

    private static String path(HttpRule rule) {
        return switch (rule.getPatternCase()) {
            case GET -> rule.getGet();
            case PUT -> rule.getPut();
            case POST -> rule.getPost();
            case DELETE -> rule.getDelete();
            default -> throw new IllegalArgumentException("no path can be made of " + rule);
        };
    }

    private static String verb(HttpRule rule) {
        return rule.getPatternCase().name().toLowerCase(Locale.ROOT);
    }

    private void addStream(StreamMethod<?> stream) {
        ObjectNode operation = operation(stream.path(), "get", "Stream");
        Message request = stream.emptyRequest();
        addParameters(operation, stream.path(), request.getDescriptorForType(), false, false);
        success(operation).putObject(stream.path().endsWith(":logs") ? "text/plain" : "text/event-stream");
    }

    private void addPage(String path) {
        ObjectNode operation = operation(path, "get", "Page");
        variables(path).forEach(name -> parameter(operation, name, "path").set("schema", text()));
        success(operation).putObject("*/*");
    }

    private ObjectNode operation(String path, String verb, String name) {
        ObjectNode operation = paths.withObjectProperty(path).putObject(verb);
        operation.put("operationId", name.equals("Stream") || name.equals("Page") ? name + " " + path : name);
        operation.put("summary", words(name));
        return operation;
    }

    /** GetConflicts: "get conflicts". */
    private static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static ObjectNode success(ObjectNode operation) {
        ObjectNode responses = operation.putObject("responses");
        ObjectNode content =
                responses.putObject("2XX").put("description", "Done").putObject("content");
        responses.putObject("default").put("$ref", "#/components/responses/Problem");
        return content;
    }

    private void addParameters(
            ObjectNode operation, String path, Descriptor request, boolean takesBody, boolean isRead) {
        Set<String> variables = variables(path);
        for (FieldDescriptor field : request.getFields()) {
            boolean inPath = variables.contains(field.getName());
            boolean inQuery = !takesBody && !field.isMapField();
            if (inPath || inQuery) {
                ObjectNode parameter = parameter(operation, field.getJsonName(), inPath ? "path" : "query");
                parameter.set("schema", requests.ofField(field));
                if (field.isRepeated()) {
                    parameter.put("style", "form").put("explode", false);
                }
            }
        }
        if (isRead) {
            ObjectNode formats = text();
            ArrayNode values = formats.putArray("enum");
            values.add("json").add("csv");
            parameter(operation, "format", "query").set("schema", formats);
            parameter(operation, "table", "query").set("schema", text());
        }
    }

    private static ObjectNode parameter(ObjectNode operation, String name, String place) {
        ObjectNode parameter = operation.withArrayProperty("parameters").addObject();
        return parameter.put("name", name).put("in", place).put("required", place.equals("path"));
    }

    private static ObjectNode text() {
        return NODES.objectNode().put("type", "string");
    }

    private static Set<String> variables(String path) {
        return VARIABLE.matcher(path)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());
    }
}
