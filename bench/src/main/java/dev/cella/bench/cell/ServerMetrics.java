package dev.cella.bench.cell;

import dev.cella.client.access.CellAccess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's metrics from {@code /metrics}, at one moment. */
record ServerMetrics(String text) {
    static ServerMetrics read(HttpClient client, URI server, CellAccess access)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve("/metrics"));
        access.authorization().ifPresent(value -> request.header("Authorization", value));
        return new ServerMetrics(
                client.send(request.build(), BodyHandlers.ofString()).body());
    }

    /** The value of a metric, named with its labels if it has any. */
    double value(String metric) {
        Matcher line =
                Pattern.compile("(?m)^" + Pattern.quote(metric) + " (\\S+)$").matcher(text);
        if (!line.find()) {
            throw new IllegalStateException("the server says nothing of " + metric);
        }
        return Double.parseDouble(line.group(1));
    }

    /** The sum of a metric over all its rows with that label; none is 0. */
    double sum(String metric, String label) {
        Matcher line = Pattern.compile("(?m)^" + Pattern.quote(metric) + "\\{([^}]*)\\} (\\S+)$")
                .matcher(text);
        double sum = 0;
        while (line.find()) {
            if (line.group(1).contains(label)) {
                sum += Double.parseDouble(line.group(2));
            }
        }
        return sum;
    }
}
