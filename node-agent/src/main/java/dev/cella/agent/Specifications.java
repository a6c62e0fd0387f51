package dev.cella.agent;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.cella.agent.reconciler.AgentEvent;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.agent.reconciler.HomeTask;
import dev.cella.agent.reconciler.IsolationLevel;
import dev.cella.agent.reconciler.JobRuns;
import dev.cella.agent.reconciler.RunSettings;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.job.HostsFiles;
import dev.cella.client.job.JobRules;
import dev.cella.client.live.AgentConnection;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.OnLost;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.SpecificationRequest;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Specification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs' specifications, each once for all waiting machines, and keeps those used last. The view shows that of a job's
 * last generation, if it is not a part of the cell in which nothing of the job is about to start; others are fetched. Owned by
 * the agent's loop.
 */
final class Specifications {
    private static final int KEPT_MAX = 1_000;

    /** How often a replica that has not applied the submission yet may answer "no such specification". */
    private static final int MISSED_MAX = 5;

    /** A job that was found, and how to run its groups. */
    private record Known(Job job, List<GroupRun> groups) {}

    private record Key(Incarnation incarnation, JobId job, int generation) {}

    private final AgentLoop loop;
    private final AgentConnection cell;
    private final Supplier<CellView> view;
    private final Map<Key, List<Machine>> waiting = new LinkedHashMap<>();
    private final Map<Key, Integer> missed = new HashMap<>();
    private final Map<Key, Known> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Known> eldest) {
            return size() > KEPT_MAX;
        }
    };

    Specifications(AgentLoop loop, AgentConnection cell, Supplier<CellView> view) {
        this.loop = loop;
        this.cell = cell;
        this.view = view;
    }

    /** Informs the machine by an event, sooner or later. */
    void fetch(Machine machine, Incarnation incarnation, JobId job, int generation) {
        Key key = new Key(incarnation, job, generation);
        Known known = kept.get(key);
        if (known != null) {
            loop.handOver(() -> machine.on(new AgentEvent.SpecificationFound(runs(key, known.groups()))));
            return;
        }
        Optional<Job> shown = shown(key);
        if (shown.isPresent()) {
            AgentEvent event = read(key, shown.get());
            loop.handOver(() -> machine.on(event));
            return;
        }
        List<Machine> alsoWaiting = waiting.get(key);
        if (alsoWaiting != null) {
            alsoWaiting.add(machine);
            return;
        }
        waiting.put(key, new ArrayList<>(List.of(machine)));
        SpecificationRequest request = SpecificationRequest.newBuilder()
                .setIncarnation(incarnation.number())
                .setJobVersion(job.version())
                .setGeneration(generation)
                .build();
        loop.handOver(cell.specification(request), (answer, failure) -> answered(key, answer, failure));
    }

    /** The job of a generation that was found lately, with all its defaults. */
    Optional<Job> find(Incarnation incarnation, JobId job, int generation) {
        return Optional.ofNullable(kept.get(new Key(incarnation, job, generation)))
                .map(Known::job);
    }

    private Optional<Job> shown(Key key) {
        return Optional.of(view.get())
                .filter(shown -> shown.incarnation().equals(key.incarnation()))
                .flatMap(shown -> shown.job(key.job()))
                .filter(job -> job.generation() == key.generation())
                .map(JobRow::specification)
                .filter(specification -> specification.length() > 0)
                .flatMap(Specifications::parsed);
    }

    /** Empty if a newer program wrote it: then the cell's answer counts. */
    private static Optional<Job> parsed(Specification specification) {
        try {
            return Optional.of(Job.parseFrom(specification.bytes()));
        } catch (InvalidProtocolBufferException unreadable) {
            return Optional.empty();
        }
    }

    private void answered(Key key, @Nullable Job answer, @Nullable Throwable failure) {
        AgentEvent event = event(key, answer, failure);
        List<Machine> machines = waiting.remove(key);
        if (machines != null) {
            machines.forEach(machine -> machine.on(event));
        }
    }

    private AgentEvent event(Key key, @Nullable Job answer, @Nullable Throwable failure) {
        if (answer != null) {
            return read(key, answer);
        }
        boolean isMissing = failure instanceof Problem problem && problem.type() == ProblemType.NOT_FOUND;
        if (isMissing && missed.merge(key, 1, Integer::sum) > MISSED_MAX) {
            missed.remove(key);
            return new AgentEvent.SpecificationMissing(key.job(), key.generation());
        }
        return new AgentEvent.SpecificationUnanswered(key.job(), key.generation());
    }

    private AgentEvent read(Key key, Job answer) {
        try {
            Job job = JobRules.complete(answer);
            List<GroupRun> groups =
                    job.getGroupsList().stream().map(group -> run(job, group)).toList();
            kept.put(key, new Known(job, groups));
            missed.remove(key);
            return new AgentEvent.SpecificationFound(runs(key, groups));
        } catch (IllegalArgumentException cannotBeRun) {
            return new AgentEvent.SpecificationMissing(key.job(), key.generation());
        }
    }

    /**
     * The runs by the places of the job's groups. Updates may leave groups out and name new ones first, while a job keeps the
     * places of all that it ever had; and copies of tasks run as those do.
     */
    private JobRuns runs(Key key, List<GroupRun> groups) {
        JobRow job = view.get().job(key.job()).orElse(null);
        if (job == null) {
            return new JobRuns(key.job(), key.generation(), groups);
        }
        Map<Integer, GroupRun> byPlace = new HashMap<>();
        Map<Integer, List<Integer>> copied = new HashMap<>();
        for (GroupRow row : job.groups()) {
            if (row.isOfCopies()) {
                copied.put(row.place(), copied(row));
            }
            groups.stream()
                    .filter(run -> run.group().equals(row.header().nameOfCopied()))
                    .findFirst()
                    .ifPresent(run -> byPlace.put(row.place(), run));
        }
        return new JobRuns(key.job(), key.generation(), byPlace, copied);
    }

    private static List<Integer> copied(GroupRow copies) {
        return IntStream.range(0, copies.header().count())
                .mapToObj(copies::copied)
                .toList();
    }

    private static GroupRun run(Job job, Group group) {
        return new GroupRun(
                job.getName(),
                group.getName(),
                group.getRun().getCommandList(),
                group.getRun().getEnvMap(),
                group.getRun().hasDirectory() ? Optional.of(group.getRun().getDirectory()) : Optional.empty(),
                millis(group.getRun().getStopGrace()),
                settings(job, group).asAnother(HomeTask.parse(job.getLabelsOrDefault(HomeTask.LABEL, ""))));
    }

    private static RunSettings settings(Job job, Group group) {
        Run run = group.getRun();
        return new RunSettings(
                run.hasUser() ? Optional.of(run.getUser()) : Optional.empty(),
                run.hasStopSignal() ? run.getStopSignal() : RunSettings.PLAIN.stopSignal(),
                run.hasTimeout() ? millis(run.getTimeout()) : 0,
                IsolationLevel.of(JobRules.isolation(run)),
                run.hasImage() ? Optional.of(run.getImage()) : Optional.empty(),
                group.getResourcesMap(),
                group.getPortsMap(),
                group.hasCheck() ? Optional.of(check(group.getCheck())) : Optional.empty(),
                group.getOnLost() == OnLost.ON_LOST_WAIT,
                job.getType() == JobType.JOB_TYPE_SERVICE,
                run.getCpuQuota(),
                run.getNetwork().equals("none"),
                HostsFiles.isWanted(group));
    }

    private static HealthCheck check(dev.cella.client.proto.Check check) {
        return new HealthCheck(
                kind(check),
                check.hasHttp() ? List.of(check.getHttp()) : check.getCommandList(),
                check.getPort(),
                millis(check.getEvery()),
                millis(check.getTimeout()),
                check.getFailuresMax());
    }

    private static HealthCheck.Kind kind(dev.cella.client.proto.Check check) {
        if (check.getCommandCount() > 0) {
            return HealthCheck.Kind.COMMAND;
        }
        return check.hasHttp() ? HealthCheck.Kind.HTTP : HealthCheck.Kind.TCP;
    }

    private static long millis(Duration duration) {
        return duration.getSeconds() * 1_000 + duration.getNanos() / 1_000_000;
    }
}
