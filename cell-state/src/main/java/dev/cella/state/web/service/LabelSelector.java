package dev.cella.state.web.service;

import dev.cella.state.web.rows.JobRows;
import dev.cella.transactions.cell.tables.JobRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects jobs by their labels: {@code app=web} requires a value, {@code app} any value. All conditions must hold.
 */
final class LabelSelector {
    private static final LabelSelector ALL = new LabelSelector(Map.of());

    private final Map<String, Optional<String>> wanted;

    private LabelSelector(Map<String, Optional<String>> wanted) {
        this.wanted = wanted;
    }

    static LabelSelector of(List<String> words) {
        if (words.isEmpty()) {
            return ALL;
        }
        Map<String, Optional<String>> wanted = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            if (name.isEmpty()) {
                throw Requests.bad("label", "must be NAME=VALUE or NAME, is '" + word + "'");
            }
            Optional<String> value = equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1));
            Optional<String> before = wanted.getOrDefault(name, Optional.empty());
            if (before.isPresent() && value.isPresent() && !before.equals(value)) {
                throw Requests.bad("label", "asks for two values of " + name + ": no job has both");
            }
            wanted.put(name, value.or(() -> before));
        }
        return new LabelSelector(wanted);
    }

    boolean selects(JobRow job) {
        if (wanted.isEmpty()) {
            return true;
        }
        Map<String, String> labels = JobRows.labels(job.specification());
        return wanted.entrySet().stream().allMatch(label -> selects(label.getValue(), labels.get(label.getKey())));
    }

    private static boolean selects(Optional<String> wanted, @Nullable String has) {
        return has != null && wanted.map(has::equals).orElse(true);
    }
}
