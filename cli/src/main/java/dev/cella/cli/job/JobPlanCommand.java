package dev.cella.cli.job;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GroupPlan;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobPlan;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.TaskCounts;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.live.PlanPreview;
import dev.cella.scheduling.live.SchedulerByOptions;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella job plan}: where the job would be placed on the present machines; nothing is submitted. */
@Command(
        name = "plan",
        header = "Shows where the job in FILE would be placed now, without submitting it.",
        description = {
            "",
            "For a live job of that name it shows what the update would change, and places what would be new. Exit"
                    + " code 2 when some task would not be placed.",
            ""
        },
        footer = {"", "Example:", "  cella job plan examples/hello.yaml"})
public final class JobPlanCommand implements Callable<Integer> {
    private static final int MACHINES_SHOWN = 3;

    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "the job in YAML or JSON; - reads it from standard input")
    private String file = "";

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "the seed of the planner's draws (default: 1)")
    private long seed = 1;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobPlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Job job = JobFile.read(file, terminal);
        HttpCell cell = cellOption.open(terminal);
        List<Machine> machines =
                Pages.machines(cell, ListMachinesRequest.getDefaultInstance()).getMachinesList();
        Optional<JobStatus> live = live(job, cell);
        JobPlan.Builder plan = PlanPreview.plan(machines, job, toPlace(job, live), planner(job), seed).toBuilder();
        live.ifPresent(status -> plan.setGeneration(status.getGeneration())
                .addAllDifferences(JobDifferences.between(status.getSpecification(), job)));
        JobPlan answer = plan.build();
        output.print(terminal, answer, () -> print(answer));
        boolean whole = answer.getGroupsList().stream().allMatch(group -> group.getPlaced() == group.getTasks());
        return (whole ? ExitCode.DONE : ExitCode.NOT_PLACED).number();
    }

    private static Optional<JobStatus> live(Job job, HttpCell cell) {
        try {
            JobStatus status = cell.getJob(
                    GetJobRequest.newBuilder().setName(job.getName()).build());
            return Optional.of(status).filter(each -> !new JobProgress(each).hasEnded());
        } catch (Problem problem) {
            if (problem.type() == ProblemType.NOT_FOUND) {
                return Optional.empty();
            }
            throw problem;
        }
    }

    /** An update does not place tasks again that are on a machine or have finished. */
    private static Map<String, Integer> toPlace(Job job, Optional<JobStatus> live) {
        Map<String, Integer> tasks = new HashMap<>();
        job.getGroupsList().forEach(group -> tasks.put(group.getName(), group.getCount()));
        live.map(JobStatus::getGroupsList)
                .orElse(List.of())
                .forEach(group -> tasks.computeIfPresent(
                        group.getName(), (name, count) -> Math.max(0, count - (int) beyondPending(group))));
        return tasks;
    }

    private static long beyondPending(GroupStatus group) {
        TaskCounts tasks = group.getTasks();
        return tasks.getPlaced() + tasks.getRunning() + tasks.getStopping() + tasks.getFinished();
    }

    /**
     * For a scheduler that only the cell knows, a plug-in or one in another language, this uses the scheduler of the job's
     * type.
     */
    private Scheduler<?> planner(Job job) {
        SchedulerTypes types = SchedulerTypes.installed();
        SchedulerProvider provider = types.find(job.getScheduler()).orElseGet(() -> {
            terminal.say("note:  planned as " + PlanPreview.typeOf(job) + " would; how " + job.getScheduler()
                    + " plans is not known here");
            return types.find(PlanPreview.typeOf(job)).orElseThrow();
        });
        return SchedulerByOptions.of(provider, Map.of());
    }

    private void print(JobPlan plan) {
        if (plan.hasGeneration()) {
            terminal.print("an update of " + plan.getJob() + ", which is of generation " + plan.getGeneration()
                    + (plan.getDifferencesCount() == 0 ? ": it changes nothing" : ":"));
            plan.getDifferencesList().forEach(difference -> terminal.print("  " + difference));
            terminal.print("tasks that are not on a machine yet:");
        }
        Table table = new Table("GROUP", ">TASKS", ">PLACED", ">PENDING", "MACHINES");
        for (GroupPlan group : plan.getGroupsList()) {
            table.row(
                    group.getGroup(),
                    group.getTasks(),
                    group.getPlaced(),
                    group.getTasks() - group.getPlaced(),
                    machines(group.getMachinesMap()));
        }
        table.print(terminal);
        plan.getGroupsList().stream()
                .filter(GroupPlan::hasReason)
                .forEach(group -> terminal.print("group " + group.getGroup() + ": " + group.getReason()
                        + (group.getNeverPlaceable() ? "; no machine of the cell could ever hold it" : "")));
    }

    private static String machines(Map<String, Long> machines) {
        String shown = machines.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(MACHINES_SHOWN)
                .map(machine -> machine.getKey() + " (" + machine.getValue() + ")")
                .reduce((one, other) -> one + ", " + other)
                .orElse("-");
        int more = machines.size() - MACHINES_SHOWN;
        return more > 0 ? shown + " and " + Words.plural(more, "more machine") : shown;
    }
}
