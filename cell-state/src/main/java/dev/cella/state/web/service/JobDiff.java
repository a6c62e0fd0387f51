package dev.cella.state.web.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.GroupChange;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobChange;
import dev.cella.client.proto.JobDifference;
import dev.cella.client.proto.JobEffect;
import dev.cella.state.web.rows.JobRows;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.TaskState;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The changes that submitting a job would make, to its fields and to its tasks. Made from one view, which it only reads.
 */
final class JobDiff {
    private static final JsonCodec JSON = new JsonCodec();
    private static final ObjectMapper TREES = new ObjectMapper();

    private final CellView view;
    private final Draft room;
    private final Optional<JobRow> live;
    private final JobChange.Builder change = JobChange.newBuilder();

    private JobDiff(CellView view, Optional<JobRow> live) {
        this.view = view;
        this.room = view.draft();
        this.live = live;
    }

    static JobChange of(CellView view, Job job, JobHeader header, CommandResult.Effect effect) {
        JobDiff changes = new JobDiff(view, view.job(job.getName()).filter(row -> !row.isEnded()));
        changes.change.setEffect(JobEffect.valueOf("JOB_EFFECT_" + effect.name()));
        changes.compare(job);
        header.groups().forEach(group -> changes.add(group, effect));
        changes.live.ifPresent(row -> row.groups().forEach(group -> changes.addDropped(group, header)));
        return changes.change.build();
    }

    // ---- its fields

    private void compare(Job job) {
        JsonNode before = live.map(JobRows::specification).map(JobDiff::tree).orElse(TREES.createObjectNode());
        compare("", before, tree(job));
    }

    private static JsonNode tree(Job job) {
        try {
            return TREES.readTree(JSON.write(job));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a job's own JSON cannot be parsed", impossible);
        }
    }

    private void compare(String path, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return;
        }
        if (before.isObject() && after.isObject()) {
            NavigableSet<String> names = new TreeSet<>();
            addAll(names, before.fieldNames());
            addAll(names, after.fieldNames());
            names.forEach(
                    name -> compare(path.isEmpty() ? name : path + "." + name, before.path(name), after.path(name)));
        } else if (before.isArray() && after.isArray()) {
            for (int place = 0; place < Math.max(before.size(), after.size()); place++) {
                compare(path + "[" + place + "]", before.path(place), after.path(place));
            }
        } else {
            addDifference(path, before, after);
        }
    }

    private static void addAll(NavigableSet<String> names, Iterator<String> more) {
        more.forEachRemaining(names::add);
    }

    private void addDifference(String path, JsonNode before, JsonNode after) {
        JobDifference.Builder difference = JobDifference.newBuilder().setPath(path);
        if (!before.isMissingNode()) {
            difference.setBefore(before.toString());
        }
        if (!after.isMissingNode()) {
            difference.setAfter(after.toString());
        }
        change.addDifference(difference);
    }

    // ---- its tasks

    private void add(GroupHeader group, CommandResult.Effect effect) {
        Optional<GroupRow> before = live.flatMap(row -> find(row, group.name()));
        long count = before.map(row -> row.header().count()).orElse(0);
        long onMachines = before.map(row -> onMachines(row, group.count())).orElse(0L);
        long kept = before.map(row -> notToPlace(row, group.count())).orElse(0L);
        long toPlace = group.count() - kept;
        change.addGroups(GroupChange.newBuilder()
                .setName(group.name())
                .setCount(group.count())
                .setAdded(Math.max(0, group.count() - count))
                .setRemoved(Math.max(0, count - group.count()))
                .setOutdated(effect == CommandResult.Effect.CHANGED ? onMachines : 0)
                .setToPlace(toPlace)
                .setFitting(fitting(group, toPlace)));
    }

    /** A group that the job drops loses its tasks. */
    private void addDropped(GroupRow group, JobHeader next) {
        if (next.findGroup(group.header().name()) < 0 && group.header().count() > 0) {
            change.addGroups(GroupChange.newBuilder()
                    .setName(group.header().name())
                    .setRemoved(group.header().count()));
        }
    }

    private static Optional<GroupRow> find(JobRow job, String group) {
        int place = job.header().findGroup(group);
        return place < 0 ? Optional.empty() : Optional.of(job.groups().get(place));
    }

    private long onMachines(GroupRow group, int count) {
        return tasks(group, count, true);
    }

    /** Tasks that are on machines or have ended. */
    private long notToPlace(GroupRow group, int count) {
        return tasks(group, count, false);
    }

    private long tasks(GroupRow group, int count, boolean onMachinesOnly) {
        long tasks = 0;
        for (int index = 0; index < Math.min(count, group.header().count()); index++) {
            TaskState state = view.taskState(group, index);
            tasks += onMachinesOnly ? (state.isOnMachine() ? 1 : 0) : (state == TaskState.PENDING ? 0 : 1);
        }
        return tasks;
    }

    private long fitting(GroupHeader group, long toPlace) {
        long fitting = 0;
        for (int machine = 0; machine < view.machineSlots() && fitting < toPlace; machine++) {
            while (fitting < toPlace && view.isReady(machine) && room.fits(machine, group.shape())) {
                room.take(machine, group.shape());
                fitting++;
            }
        }
        return fitting;
    }
}
