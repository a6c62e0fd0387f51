package dev.cella.cli.job;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.cella.client.http.FeedEvent;
import dev.cella.client.http.FeedEvents;
import dev.cella.client.http.HttpCell;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.FeedChange;
import dev.cella.client.proto.FeedQuery;
import dev.cella.client.proto.FeedRow;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All attempts of a job's tasks, read from the feed since the submission. The cell's rows show only the newest attempt of each
 * task. The feed reaches back only as far as the cell keeps it.
 */
final class JobHistory {
    private static final JsonCodec JSON = new JsonCodec();

    private JobHistory() {}

    /** Each attempt with its last state, in the order of the starts; empty if the feed does not reach back so far. */
    static Optional<List<Task>> of(JobStatus job, HttpCell cell) {
        FeedQuery query = FeedQuery.newBuilder()
                .setFrom(Math.max(0, job.getSubmittedVersion() - 1))
                .setJob(job.getName())
                .build();
        Map<String, Task> attempts = new LinkedHashMap<>();
        try (FeedEvents events = cell.feed(query)) {
            long version = 0;
            while (version < job.getChangedVersion()) {
                Optional<FeedEvent> event = events.next();
                if (event.isEmpty() || event.get().event().equals("resync")) {
                    return Optional.empty();
                }
                if (event.get().event().equals("heartbeat")) {
                    break;
                }
                FeedChange change = JSON.readAnswer(
                        FeedChange.getDefaultInstance(), Source.json(event.get().data()));
                change.getChangesList().forEach(row -> add(row, attempts));
                version = change.getVersion();
            }
        }
        return Optional.of(new ArrayList<>(attempts.values()));
    }

    private static void add(FeedRow row, Map<String, Task> attempts) {
        if (row.getKind().equals("TASK") && row.hasRow()) {
            Task task = JSON.readAnswer(Task.getDefaultInstance(), Source.json(json(row.getRow())));
            if (task.getAttempt() > 0) {
                attempts.put(task.getTask() + "#" + task.getAttempt(), task);
            }
        }
    }

    private static String json(Struct row) {
        return JSON.write(Value.newBuilder().setStructValue(row).build());
    }
}
