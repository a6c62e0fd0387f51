package dev.cella.client.http;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import dev.cella.client.json.JsonCodec;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The HTTP form of a call, from its {@code google.api.http} annotation: the verb, the path with its fields, and whether there
 * is a body. A body has the other fields; without a body they are a query.
 */
record Route(String verb, String path, boolean takesBody) {
    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z_]+)(=\\*\\*)?}");

    static Route of(ServiceDescriptor service, String method) {
        MethodDescriptor descriptor = service.findMethodByName(method);
        HttpRule rule = descriptor.getOptions().getExtension(AnnotationsProto.http);
        boolean takesBody = rule.getBody().equals("*");
        return switch (rule.getPatternCase()) {
            case GET -> new Route("GET", rule.getGet(), takesBody);
            case PUT -> new Route("PUT", rule.getPut(), takesBody);
            case POST -> new Route("POST", rule.getPost(), takesBody);
            case DELETE -> new Route("DELETE", rule.getDelete(), takesBody);
            case PATCH, CUSTOM, PATTERN_NOT_SET -> throw new IllegalArgumentException(method + " has no route");
        };
    }

    /** Returns whether the call changes nothing. */
    boolean isRead() {
        return verb.equals("GET");
    }

    /** The address of a request: its fields in the path, and in the query if there is no body. */
    String address(Message request, JsonCodec codec) {
        StringBuilder address = new StringBuilder();
        Matcher variables = VARIABLE.matcher(path);
        while (variables.find()) {
            String value = encoded(variable(request, variables.group(1)));
            boolean path = variables.group(2) != null;
            variables.appendReplacement(address, Matcher.quoteReplacement(path ? value.replace("%2F", "/") : value));
        }
        variables.appendTail(address);
        return takesBody ? address.toString() : address + query(request, codec);
    }

    private static String variable(Message request, String name) {
        return String.valueOf(request.getField(field(request, name)));
    }

    private static FieldDescriptor field(Message request, String name) {
        return request.getDescriptorForType().findFieldByName(name);
    }

    private String query(Message request, JsonCodec codec) {
        Map<String, String> parameters = codec.writeParameters(withoutPath(request));
        return parameters.isEmpty()
                ? ""
                : parameters.entrySet().stream()
                        .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** The request without the fields in its path. */
    private Message withoutPath(Message request) {
        Message.Builder rest = request.toBuilder();
        VARIABLE.matcher(path).results().forEach(variable -> rest.clearField(field(request, variable.group(1))));
        return rest.build();
    }

    /** Encoded for both a path and a query: a space is %20, not a plus. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
