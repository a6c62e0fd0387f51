package dev.cella.state.web.http;

import dev.cella.client.job.Names;
import dev.cella.transactions.model.GroupHeader;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The path of a call as in its annotation: literal segments, {@code {variables}} and perhaps a {@code :verb} at the end. A
 * last variable written {@code {name=**}} stands for the path of a pool.
 *
 * @param segments without the slashes; a variable keeps its braces
 * @param verb the word after the colon, if any
 */
record PathTemplate(List<String> segments, Optional<String> verb) {
    private static final String ALL = "=**}";

    /** The segment before the name of a machine, which may be longer than other names. */
    private static final String MACHINES = "machines";

    /** The name of a group. That of the copies of its tasks is no name that people choose, but they read it. */
    private static final String GROUP = "{group}";

    PathTemplate {
        segments = List.copyOf(segments);
    }

    /** Parses a template, or the path of a request. Only the last segment may have a verb. */
    static PathTemplate parse(String text) {
        int colon = text.indexOf(':', text.lastIndexOf('/'));
        String path = colon < 0 ? text : text.substring(0, colon);
        Optional<String> verb = colon < 0 ? Optional.empty() : Optional.of(text.substring(colon + 1));
        return new PathTemplate(Arrays.asList(path.substring(1).split("/", -1)), verb);
    }

    /** The variables' values if the segments match this path, with any verb. */
    Optional<Map<String, String>> match(List<String> asked) {
        if (endsInPath() ? asked.size() < segments.size() : asked.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> variables = new LinkedHashMap<>();
        for (int place = 0; place < segments.size(); place++) {
            String segment = segments.get(place);
            if (segment.endsWith(ALL)) {
                String name = segment.substring(1, segment.length() - ALL.length());
                variables.put(name, String.join("/", asked.subList(place, asked.size())));
            } else if (isVariable(segment)) {
                variables.put(segment.substring(1, segment.length() - 1), asked.get(place));
            } else if (!segment.equals(asked.get(place))) {
                return Optional.empty();
            }
        }
        return Optional.of(variables);
    }

    /** The fault of the first name in a path of this shape that cannot be a name; empty if there is none. */
    Optional<String> refuseName(List<String> asked) {
        for (int place = 0; place < segments.size(); place++) {
            if (isVariable(segments.get(place))) {
                Optional<String> refused = refuseName(place, asked);
                if (refused.isPresent()) {
                    return refused;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> refuseName(int place, List<String> asked) {
        if (segments.get(place).endsWith(ALL)) {
            return Names.refusePool(String.join("/", asked.subList(place, asked.size())));
        }
        String name = asked.get(place);
        if (segments.get(place).equals(GROUP)) {
            return Names.refuse(GroupHeader.nameOfCopied(name));
        }
        return segments.get(place - 1).equals(MACHINES) ? Names.refuseMachine(name) : Names.refuse(name);
    }

    private boolean endsInPath() {
        return segments.get(segments.size() - 1).endsWith(ALL);
    }

    private static boolean isVariable(String segment) {
        return segment.startsWith("{");
    }
}
