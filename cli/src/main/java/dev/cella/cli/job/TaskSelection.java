package dev.cella.cli.job;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.proto.Task;
import java.util.OptionalInt;

/**
 * Selects tasks of a job: {@code NAME}, {@code NAME/GROUP} or {@code NAME/GROUP/INDEX}.
 *
 * @param job the job's name
 * @param group the group's name, empty for all groups
 * @param index one task of the group, empty for all
 */
record TaskSelection(String job, String group, OptionalInt index) {
    static TaskSelection parse(String typed) {
        String[] parts = typed.split("/", -1);
        if (parts.length > 3 || parts[0].isEmpty()) {
            throw unreadable(typed);
        }
        return new TaskSelection(
                parts[0],
                parts.length > 1 ? parts[1] : "",
                parts.length > 2 ? OptionalInt.of(index(parts[2], typed)) : OptionalInt.empty());
    }

    /** Parses an argument that must be a job's name alone. */
    static String parseJob(String typed) {
        String job = parse(typed).job();
        if (!job.equals(typed)) {
            throw CommandFailure.usage(
                    "'" + typed + "' is a part of a job; this command takes a whole job", "write " + job);
        }
        return job;
    }

    private static int index(String digits, String typed) {
        try {
            return Integer.parseUnsignedInt(digits);
        } catch (NumberFormatException e) {
            throw unreadable(typed);
        }
    }

    private static CommandFailure unreadable(String typed) {
        return CommandFailure.usage(
                "'" + typed + "' names no job or task", "write JOB, JOB/GROUP or JOB/GROUP/INDEX, as in hello/main/0");
    }

    boolean includes(Task task) {
        return task.getTask().startsWith(job + "/" + (group.isEmpty() ? "" : group + "/"));
    }

    boolean isOneTask() {
        return index.isPresent();
    }
}
