package dev.cella.scheduling.live;

import com.google.protobuf.Value;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.NearestName;
import dev.cella.client.proto.Job;
import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.LongPlans;
import dev.cella.scheduling.Note;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Preempting;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.Signal;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.JobHeader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A scheduler type with its options, whose jobs may override the options: {@code options} of the job file. Such a job gets
 * another scheduler from the same provider, with the job's options over the configured ones; so a plug-in needs no code for
 * it. The memory is passed between these schedulers, because it has one type.
 *
 * <p>A job that sets an unknown option or a bad value stays pending with an explanation, until it is updated.
 *
 * <p>One thread at a time calls it, but a planner that was given up may still be inside, so its monitor guards the kept
 * schedulers.
 */
public final class SchedulerByOptions<M> implements Scheduler<M> {
    private static final int SCHEDULERS_KEPT_MAX = 100;

    /** The value of {@link Preempting#OPTION} that holds for all jobs, whatever they ask for. */
    private static final String EVICTS_NOBODY = "never";

    private final SchedulerProvider provider;
    private final Map<String, String> set;
    private final Scheduler<M> plain;
    private final ReadOnce<Map<String, String>> options = new ReadOnce<>(SchedulerByOptions::read);
    private final Map<Map<String, String>, Scheduler<M>> byOptions = new LinkedHashMap<>();

    private SchedulerByOptions(SchedulerProvider provider, Map<String, String> set, Scheduler<M> plain) {
        this.provider = provider;
        this.set = Map.copyOf(set);
        this.plain = plain;
    }

    /**
     * The type, with these options for jobs without their own. A wrong option causes an {@link IllegalArgumentException}.
     */
    public static Scheduler<?> of(SchedulerProvider provider, Map<String, String> set) {
        return of(provider, set, provider.create(SchedulerOptions.of(provider.options(), set)));
    }

    private static <M> Scheduler<M> of(SchedulerProvider provider, Map<String, String> set, Scheduler<M> plain) {
        return new SchedulerByOptions<>(provider, set, plain);
    }

    // ---- the options of jobs

    private static Map<String, String> read(Job job) {
        Map<String, String> options = new TreeMap<>();
        job.getOptions().getFieldsMap().forEach((name, value) -> options.put(name, text(value)));
        return options;
    }

    /** The value as on a command line: a list separated by commas. */
    private static String text(Value value) {
        return switch (value.getKindCase()) {
            case STRING_VALUE -> value.getStringValue();
            case NUMBER_VALUE ->
                BigDecimal.valueOf(value.getNumberValue()).stripTrailingZeros().toPlainString();
            case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
            case LIST_VALUE ->
                value.getListValue().getValuesList().stream()
                        .map(SchedulerByOptions::text)
                        .collect(Collectors.joining(","));
            case STRUCT_VALUE -> new JsonCodec().write(value.getStructValue());
            case NULL_VALUE, KIND_NOT_SET -> "";
        };
    }

    // ---- plans

    @Override
    public M start() {
        return plain.start();
    }

    @Override
    public Agenda<M> agenda() {
        return plain.agenda();
    }

    @Override
    public boolean tends(JobHeader job) {
        return plain.tends(job);
    }

    @Override
    public Optional<LongPlans> longPlans() {
        return plain.longPlans();
    }

    @Override
    public boolean observesWaits() {
        return plain.observesWaits();
    }

    @Override
    public long repartitions(int cell, M memory) {
        return plain.repartitions(cell, memory);
    }

    @Override
    public Optional<Rounds> rounds() {
        return plain.rounds();
    }

    @Override
    public Plan<M> plan(List<PlanningView> cells, Work work, PlanContext<M> context) {
        if (work.jobs().stream().allMatch(job -> options(cells, job).isEmpty())) {
            return plain.plan(cells, work, context);
        }
        List<Proposal> proposals = new ArrayList<>();
        List<Unplaced> unplaced = new ArrayList<>();
        List<Wake> wakes = new ArrayList<>();
        List<Wake> besides = new ArrayList<>();
        List<Revert> reverts = new ArrayList<>();
        List<Note> notes = new ArrayList<>();
        M memory = context.memory();
        for (Work together : together(cells, work)) {
            PlanContext<M> next = context.withMemory(memory);
            Plan<M> plan = planTogether(cells, together, next);
            proposals.addAll(plan.proposals());
            unplaced.addAll(plan.unplaced());
            wakes.addAll(plan.wakes());
            besides.addAll(plan.besides());
            reverts.addAll(plan.reverts());
            notes.addAll(plan.notes());
            memory = plan.memory();
        }
        return new Plan<>(proposals, unplaced, wakes, memory, besides, reverts, notes);
    }

    /**
     * The jobs that a policy such as fair sharing plans together: those with the same options. The jobs without options come
     * first, so that no job gets before them what they share.
     */
    private List<Work> together(List<PlanningView> cells, Work work) {
        Map<Map<String, String>, List<JobWork>> jobs = new LinkedHashMap<>();
        jobs.put(Map.of(), new ArrayList<>());
        work.jobs()
                .forEach(job -> jobs.computeIfAbsent(options(cells, job), asked -> new ArrayList<>())
                        .add(job));
        return jobs.values().stream()
                .filter(same -> !same.isEmpty())
                .map(same -> work(same, work.signals()))
                .toList();
    }

    private static Work work(List<JobWork> jobs, List<Signal> signals) {
        Set<JobKey> keys = jobs.stream().map(JobWork::key).collect(Collectors.toSet());
        return new Work(
                jobs,
                signals.stream().filter(signal -> keys.contains(signal.job())).toList());
    }

    private Plan<M> planTogether(List<PlanningView> cells, Work work, PlanContext<M> context) {
        Map<String, String> asked = options(cells, work.jobs().get(0));
        Optional<String> refused = refuse(asked);
        return refused.isPresent()
                ? refused(cells, work.jobs(), refused.get(), context.memory())
                : scheduler(asked).plan(cells, work, context);
    }

    private static <M> Plan<M> refused(List<PlanningView> cells, List<JobWork> jobs, String why, M memory) {
        List<Unplaced> unplaced = new ArrayList<>();
        List<Wake> wakes = new ArrayList<>();
        for (JobWork job : jobs) {
            unplaced.addAll(unplaced(cells, job, why));
            wakes.add(new Wake.On(job.key(), Happening.CHANGED));
        }
        return Plan.of(unplaced, wakes, memory);
    }

    private Map<String, String> options(List<PlanningView> cells, JobWork job) {
        return row(cells, job).map(options::of).orElse(Map.of());
    }

    private static Optional<JobRow> row(List<PlanningView> cells, JobWork job) {
        return job.in(cells).view().job(job.id());
    }

    private Optional<String> refuse(Map<String, String> asked) {
        List<String> known = provider.options().stream()
                .map(SchedulerOption::name)
                .filter(name -> !name.equals(QueueOrder.OPTION.name()))
                .toList();
        for (String name : asked.keySet()) {
            if (!known.contains(name)) {
                return Optional.of("options." + name + ": no such option of scheduler type " + provider.type() + ", "
                        + NearestName.to(name, known)
                                .map(near -> "did you mean " + near + "?")
                                .orElse(known.isEmpty() ? "it has none" : "it has " + String.join(", ", known)));
            }
        }
        if (wantsToEvict(asked) && EVICTS_NOBODY.equals(set.get(Preempting.OPTION.name()))) {
            return Optional.of("options." + Preempting.OPTION.name() + ": the scheduler is set to "
                    + Preempting.OPTION.name() + "=" + EVICTS_NOBODY + " for all jobs");
        }
        try {
            Scheduler<M> unused = scheduler(asked);
            return Optional.empty();
        } catch (IllegalArgumentException wrongValue) {
            return Optional.of("options: " + wrongValue.getMessage());
        }
    }

    private static boolean wantsToEvict(Map<String, String> asked) {
        return !asked.getOrDefault(Preempting.OPTION.name(), EVICTS_NOBODY).equals(EVICTS_NOBODY);
    }

    private synchronized Scheduler<M> scheduler(Map<String, String> asked) {
        Scheduler<M> found = asked.isEmpty() ? plain : byOptions.get(asked);
        if (found == null) {
            found = create(asked);
            byOptions.put(asked, found);
            if (byOptions.size() > SCHEDULERS_KEPT_MAX) {
                byOptions.remove(byOptions.keySet().iterator().next());
            }
        }
        return found;
    }

    @SuppressWarnings("unchecked") // all from one provider, so their memories have one type
    private Scheduler<M> create(Map<String, String> asked) {
        Map<String, String> all = new TreeMap<>(set);
        all.putAll(asked);
        return (Scheduler<M>) provider.create(SchedulerOptions.of(provider.options(), all));
    }

    private static List<Unplaced> unplaced(List<PlanningView> cells, JobWork job, String why) {
        Unplaced.Cause cause = new Unplaced.Cause(Unplaced.Kind.OPTIONS, why, 0, "");
        return row(cells, job).map(JobRow::groups).orElse(List.of()).stream()
                .filter(group -> group.pending() > 0)
                .map(group -> unplaced(group, cause))
                .toList();
    }

    private static Unplaced unplaced(GroupRow group, Unplaced.Cause cause) {
        return new Unplaced(
                group.job().id(),
                group.place(),
                group.pending(),
                group.header().shape(),
                List.of(cause),
                Optional.empty(),
                false);
    }
}
