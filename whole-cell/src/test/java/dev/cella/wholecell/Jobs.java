package dev.cella.wholecell;

import java.util.List;
import java.util.stream.Collectors;

/** Job texts as a user would post them. */
final class Jobs {
    private Jobs() {}

    /** A batch job of one group whose tasks all run that command. */
    static String batch(String name, int count, String... command) {
        return job(name, "batch", count, command);
    }

    /** The same as a service. */
    static String service(String name, int count, String... command) {
        return job(name, "service", count, command);
    }

    private static String job(String name, String type, int count, String... command) {
        return """
                {"name": "%s", "type": "%s",
                 "groups": [{"name": "main", "count": %d, "resources": {"cpuMilli": 100, "memoryMib": 32},
                             "run": {"command": [%s]}}]}
                """.formatted(name, type, count, quoted(List.of(command)));
    }

    private static String quoted(List<String> words) {
        return words.stream()
                .map(word -> "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(", "));
    }
}
