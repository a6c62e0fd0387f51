package dev.cella.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Where a figure is in a run's JSON: names with dots between them. A list stands for all its items, {@code [0]} for the first,
 * {@code [1:]} for the others, and {@code [name=etcd]} for those with that field. Two paths with a slash between them are a
 * ratio.
 */
record RunPath(String text) {
    private static final Pattern STEP = Pattern.compile("([A-Za-z0-9]+)(?:\\[([^\\]]+)\\])?");
    private static final String RATIO = " / ";

    RunPath {
        for (String path : text.split(RATIO, -1)) {
            for (String step : path.split("\\.", -1)) {
                if (!STEP.matcher(step).matches()) {
                    throw new IllegalArgumentException("no path to a figure: " + text);
                }
            }
        }
    }

    /** All figures there, in their order; none if the run does not have the figure. */
    List<Double> in(JsonNode run) {
        String[] paths = text.split(RATIO, -1);
        List<Double> figures = figures(run, paths[0]);
        if (paths.length == 1) {
            return figures;
        }
        List<Double> by = figures(run, paths[1]);
        return IntStream.range(0, Math.min(figures.size(), by.size()))
                .mapToObj(at -> figures.get(at) / by.get(at))
                .toList();
    }

    private static List<Double> figures(JsonNode run, String path) {
        List<JsonNode> nodes = List.of(run);
        for (String step : path.split("\\.", -1)) {
            List<JsonNode> next = new ArrayList<>();
            nodes.forEach(node -> next.addAll(step(node, step)));
            nodes = next;
        }
        return nodes.stream().filter(JsonNode::isNumber).map(JsonNode::asDouble).toList();
    }

    private static List<JsonNode> step(JsonNode from, String step) {
        Matcher parts = STEP.matcher(step);
        JsonNode there = parts.matches() ? from.path(parts.group(1)) : from;
        if (!there.isArray()) {
            return List.of(there);
        }
        List<JsonNode> items = new ArrayList<>();
        there.forEach(items::add);
        String chosen = parts.group(2);
        return chosen == null ? items : chosen(items, chosen);
    }

    private static List<JsonNode> chosen(List<JsonNode> items, String which) {
        if (which.endsWith(":")) {
            return items.stream()
                    .skip(Integer.parseInt(which.substring(0, which.length() - 1)))
                    .toList();
        }
        int equals = which.indexOf('=');
        if (equals < 0) {
            return items.stream().skip(Integer.parseInt(which)).limit(1).toList();
        }
        String field = which.substring(0, equals);
        String value = which.substring(equals + 1);
        return items.stream()
                .filter(item -> item.path(field).asText().equals(value))
                .toList();
    }
}
