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
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Jobs in the wire contract. */
public final class JobRows {
    private JobRows() {}

    /** A job without its specification, as in a list. */
    public static JobStatus of(CellView view, JobRow row) {
        return kept(view, row).get();
    }

    /** The job as it is now, for a message that is built later. */
    public static Supplier<JobStatus> kept(CellView view, JobRow row) {
        return new Kept(
                row.header(),
                row.specification(),
                view.dimensions(),
                row.generation(),
                row.state(),
                reason(view, row),
                row.counts().copy(),
                row.groupCount() == 1
                        ? List.of()
                        : row.groups().stream()
                                .map(group -> countsOf(view, group))
                                .toList(),
                row.attempts(),
                row.conflicts(),
                row.id().version(),
                row.changedVersion(),
                row.updatedVersion(),
                row.submittedAtMillis(),
                row.startedAtMillis(),
                row.endedAtMillis());
    }

    /**
     * The values of a job at one version.
     *
     * @param groupCounts by place; none if the job has one group, which then has the counts of the job
     */
    private record Kept(
            JobHeader header,
            Specification specification,
            Dimensions dimensions,
            int generation,
            JobState state,
            Optional<String> reason,
            dev.cella.transactions.cell.tables.TaskCounts counts,
            List<dev.cella.transactions.cell.tables.TaskCounts> groupCounts,
            int attempts,
            int conflicts,
            long submittedVersion,
            long changedVersion,
            long updatedVersion,
            long submittedAtMillis,
            OptionalLong startedAtMillis,
            OptionalLong endedAtMillis)
            implements Supplier<JobStatus> {
        @Override
        public JobStatus get() {
            JobStatus.Builder job = JobStatus.newBuilder()
                    .setName(header.name())
                    .setGeneration(generation)
                    .setType(WireWords.of(header.type()))
                    .setScheduler(header.scheduler())
                    .setState(WireWords.of(state))
                    .setTasks(JobRows.counts(counts))
                    .setSubmittedAt(WireWords.time(submittedAtMillis))
                    .setAttempts(attempts)
                    .setConflicts(conflicts)
                    .setSubmittedVersion(submittedVersion)
                    .setChangedVersion(changedVersion)
                    .putAllLabels(labels(specification));
            for (int place = 0; place < header.groups().size(); place++) {
                job.addGroups(group(place));
            }
            startedAtMillis.ifPresent(millis -> job.setStartedAt(WireWords.time(millis)));
            endedAtMillis.ifPresent(millis -> job.setEndedAt(WireWords.time(millis)));
            reason.ifPresent(job::setReason);
            if (updatedVersion > 0) {
                job.setUpdatedVersion(updatedVersion);
            }
            return job.build();
        }

        private GroupStatus group(int place) {
            GroupHeader group = header.groups().get(place);
            return GroupStatus.newBuilder()
                    .setName(group.name())
                    .setCount(group.count())
                    .putAllResources(resources(dimensions, group))
                    .setTasks(JobRows.counts(groupCounts.isEmpty() ? counts : groupCounts.get(place)))
                    .build();
        }
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
                group.setCount(job.group(place).askedCount());
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

    /** The amounts that each task of the group asks for. */
    public static Map<String, Long> resources(Dimensions dimensions, GroupHeader group) {
        return WireWords.amounts(dimensions, group.shape(), group.shape());
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

    private static dev.cella.transactions.cell.tables.TaskCounts countsOf(CellView view, GroupRow group) {
        dev.cella.transactions.cell.tables.TaskCounts counts = new dev.cella.transactions.cell.tables.TaskCounts();
        for (int index = 0; index < group.header().count(); index++) {
            counts.add(view.taskState(group, index), 1);
        }
        return counts;
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
