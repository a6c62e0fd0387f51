package dev.cella.state.web.rows;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobHold;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.TaskCounts;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs in the wire contract. */
public final class JobRows {
    private JobRows() {}

    /** A job without its specification, as in a list. */
    public static JobStatus of(CellView view, JobRow row) {
        JobStatus.Builder job = JobStatus.newBuilder()
                .setName(row.name())
                .setGeneration(row.generation())
                .setType(WireWords.of(row.header().type()))
                .setScheduler(row.header().scheduler())
                .setState(WireWords.of(row.state()))
                .setTasks(counts(row.counts()))
                .setSubmittedAt(WireWords.time(row.submittedAtMillis()))
                .setAttempts(row.attempts())
                .setConflicts(row.conflicts())
                .setSubmittedVersion(row.id().version())
                .setChangedVersion(row.changedVersion())
                .putAllLabels(labels(row.specification()));
        row.groups().forEach(group -> job.addGroups(group(view, group)));
        row.startedAtMillis().ifPresent(millis -> job.setStartedAt(WireWords.time(millis)));
        row.endedAtMillis().ifPresent(millis -> job.setEndedAt(WireWords.time(millis)));
        reason(view, row).ifPresent(job::setReason);
        if (row.updatedVersion() > 0) {
            job.setUpdatedVersion(row.updatedVersion());
        }
        return job.build();
    }

    /** The job as it was submitted, with the defaults filled in. */
    public static Job specification(Specification specification) {
        try {
            return Job.parseFrom(specification.bytes());
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("a specification in the cell is not a job", damaged);
        }
    }

    /**
     * The labels in a specification. A list shows them for a thousand jobs with large specifications, so this reads only the
     * labels and skips the rest.
     */
    public static Map<String, String> labels(Specification specification) {
        Job.Builder labels = Job.newBuilder();
        try {
            CodedInputStream input = CodedInputStream.newInstance(specification.bytes());
            for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
                if (WireFormat.getTagFieldNumber(tag) == Job.LABELS_FIELD_NUMBER) {
                    labels.mergeFrom(oneField(tag, input.readByteArray()));
                } else {
                    input.skipField(tag);
                }
            }
        } catch (IOException damaged) {
            throw new IllegalStateException("a specification in the cell is not a job", damaged);
        }
        return labels.getLabelsMap();
    }

    private static byte[] oneField(int tag, byte[] content) throws IOException {
        byte[] field = new byte
                [CodedOutputStream.computeUInt32SizeNoTag(tag) + CodedOutputStream.computeByteArraySizeNoTag(content)];
        CodedOutputStream output = CodedOutputStream.newInstance(field);
        output.writeUInt32NoTag(tag);
        output.writeByteArrayNoTag(content);
        output.flush();
        return field;
    }

    /** The progress that its scheduler stored with it, if any. */
    public static JobStatus progress(JobRow job) {
        byte[] progress = job.progress().bytes();
        return progress.length == 0
                ? JobStatus.getDefaultInstance()
                : JobStatus.newBuilder()
                        .setProgress(ByteString.copyFrom(progress))
                        .build();
    }

    /** The job as it was submitted last, with the number of tasks it was scaled to since. */
    public static Job specification(JobRow job) {
        Job.Builder specification = specification(job.specification()).toBuilder();
        specification.getGroupsBuilderList().forEach(group -> {
            int place = job.header().findGroup(group.getName());
            if (place >= 0) {
                group.setCount(job.header().groups().get(place).count());
            }
        });
        return specification.build();
    }

    private static Optional<String> reason(CellView view, JobRow row) {
        if (row.reason() != TaskReason.NONE) {
            return Optional.of(row.reason().name());
        }
        return row.state() == JobState.PENDING ? unserved(view, row.header().scheduler()) : Optional.empty();
    }

    /** The reason why jobs of the scheduler are not planned, if there is one. */
    public static Optional<String> unserved(CellView view, String scheduler) {
        if (view.isPaused(scheduler)) {
            return Optional.of("scheduler " + scheduler + " is paused");
        }
        return isServed(view, scheduler)
                ? Optional.empty()
                : Optional.of("no scheduler " + scheduler + " has a session");
    }

    private static boolean isServed(CellView view, String scheduler) {
        return view.sessions().stream().anyMatch(session -> session.scheduler().equals(scheduler));
    }

    private static GroupStatus group(CellView view, GroupRow group) {
        return GroupStatus.newBuilder()
                .setName(group.header().name())
                .setCount(group.header().count())
                .putAllResources(resources(view, group))
                .setTasks(group.job().groups().size() == 1 ? counts(group.job().counts()) : countsOf(view, group))
                .build();
    }

    /** The amounts that each task of the group asks for. */
    public static Map<String, Long> resources(CellView view, GroupRow group) {
        Amounts shape = group.header().shape();
        return WireWords.amounts(view.dimensions(), shape, shape);
    }

    /** The reservations of machine capacity for the job. */
    public static List<JobHold> holds(CellView view, JobRow job) {
        Dimensions dimensions = view.dimensions();
        return view.holdsOf(job).stream()
                .map(hold -> JobHold.newBuilder()
                        .setMachine(view.machineName(hold.slot()))
                        .putAllHeld(WireWords.amounts(dimensions, hold.got(), hold.wanted()))
                        .putAllWanted(WireWords.amounts(dimensions, hold.wanted(), hold.wanted()))
                        .setExpiresIn(WireWords.until(hold.expiresAt(), view.time()))
                        .build())
                .toList();
    }

    static TaskCounts counts(dev.cella.transactions.cell.tables.TaskCounts counts) {
        TaskCounts.Builder message = TaskCounts.newBuilder();
        for (TaskState state : TaskState.values()) {
            add(message, state, counts.of(state));
        }
        return message.build();
    }

    private static TaskCounts countsOf(CellView view, GroupRow group) {
        Map<TaskState, Long> counts = new EnumMap<>(TaskState.class);
        for (int index = 0; index < group.header().count(); index++) {
            counts.merge(view.taskState(group, index), 1L, Long::sum);
        }
        TaskCounts.Builder message = TaskCounts.newBuilder();
        counts.forEach((state, count) -> add(message, state, count));
        return message.build();
    }

    private static void add(TaskCounts.Builder message, TaskState state, long count) {
        switch (state) {
            case PENDING -> message.setPending(count);
            case PLACED -> message.setPlaced(count);
            case RUNNING -> message.setRunning(count);
            case STOPPING -> message.setStopping(count);
            case FINISHED -> message.setFinished(count);
            case FAILED -> message.setFailed(count);
            case KILLED -> message.setKilled(count);
            case PREEMPTED -> message.setPreempted(count);
            case LOST -> message.setLost(count);
        }
    }
}
