package dev.cella.chaos.wholecell;

import java.util.List;
import java.util.stream.Collectors;

/** Job texts as a user would post them. */
final class Jobs {
    private Jobs() {}

    /** A batch job of one group whose tasks all run that command. */
    static String batch(String name, int count, String... command) {
        return """
                {"name": "%s", "type": "batch",
                 "groups": [{"name": "main", "count": %d, "resources": {"cpuMilli": 100, "memoryMib": 32},
                             "run": {"command": [%s]}}]}
                """.formatted(name, count, quoted(List.of(command)));
    }

    private static String quoted(List<String> words) {
        return words.stream()
                .map(word -> "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(", "));
    }
}
