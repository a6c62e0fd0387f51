package dev.cella.cli.pool;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Evicts;
import dev.cella.client.proto.GetRightsRequest;
import dev.cella.client.proto.MachineRule;
import dev.cella.client.proto.PutRightsRequest;
import dev.cella.client.proto.SchedulerRights;
import dev.cella.scheduling.placement.Constraint;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella schedulers rights}: shows the rights of a scheduler; with flags, changes the given ones. */
@Command(
        name = "rights",
        header = "Shows what a scheduler may do, or changes what is given of it.",
        description = {"", "Values that are not given stay as they are. The commit refuses what is outside of it.", ""},
        footer = {
            "",
            "Examples:",
            "  cella schedulers rights batch",
            "  cella schedulers rights batch --priority-max 60 --pool research --evicts LOWER",
            "  cella schedulers rights batch --machines 'partition=batch'"
        })
public final class SchedulerRightsCommand implements Callable<Integer> {
    private enum Answer {
        yes,
        no
    }

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the scheduler")
    private String name = "";

    @Option(
            names = "--priority-max",
            paramLabel = "N",
            description = "the highest priority of jobs that it places, 0-100")
    private @Nullable Integer priorityMax;

    @Option(
            names = "--pool",
            paramLabel = "PATH",
            description = "a pool that it may use; several times; all for every pool")
    private List<String> pools = List.of();

    @Option(names = "--evicts", paramLabel = "WHOM", description = "NOTHING, OWN, LOWER or ANY")
    private @Nullable String evicts;

    @Option(names = "--holds", paramLabel = "YES", description = "let it hold machines: yes or no")
    private @Nullable Answer holds;

    @Option(names = "--offers", paramLabel = "YES", description = "let it offer machines: yes or no")
    private @Nullable Answer offers;

    @Option(
            names = "--spare-percent-max",
            paramLabel = "N",
            description = "how much of a machine spare tasks may fill with its claims, 0-100 percent")
    private @Nullable Integer sparePercentMax;

    @Option(
            names = "--machines",
            paramLabel = "RULE",
            description = "machines that it may use: attribute=value or attribute!=value; several times; all for every"
                    + " machine")
    private List<String> machines = List.of();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public SchedulerRightsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        HttpCell cell = cellOption.open(terminal);
        SchedulerRights rights = isChange()
                ? cell.putRights(request(before(cell)))
                : cell.getRights(question().build());
        output.print(terminal, rights, () -> print(rights));
        return ExitCode.DONE.number();
    }

    private GetRightsRequest.Builder question() {
        return GetRightsRequest.newBuilder().setName(name);
    }

    /** Its newest rights, because what is not given of them is written back. */
    private SchedulerRights before(HttpCell cell) {
        return cell.getRights(question().setLinearizable(true).build());
    }

    private boolean isChange() {
        return priorityMax != null
                || evicts != null
                || holds != null
                || offers != null
                || sparePercentMax != null
                || !pools.isEmpty()
                || !machines.isEmpty();
    }

    private PutRightsRequest request(SchedulerRights before) {
        PutRightsRequest.Builder request = PutRightsRequest.newBuilder()
                .setName(name)
                .setPriorityMax(priorityMax == null ? (int) before.getPriorityMax() : priorityMax)
                .setHolds(holds == null ? before.getHolds() : holds == Answer.yes)
                .setOffers(offers == null ? before.getOffers() : offers == Answer.yes)
                .setSparePercentMax(sparePercentMax == null ? (int) before.getSparePercentMax() : sparePercentMax)
                .setEvicts(evicts == null ? before.getEvicts() : evicts(evicts));
        if (!pools.equals(List.of("all"))) {
            request.addAllPools(pools.isEmpty() ? before.getPoolsList() : pools);
        }
        if (machines.isEmpty()) {
            request.addAllMachines(before.getMachinesList());
        } else if (!machines.equals(List.of("all"))) {
            machines.forEach(rule -> request.addMachines(rule(rule)));
        }
        return request.build();
    }

    private static Evicts evicts(String word) {
        try {
            return Evicts.valueOf("EVICTS_" + word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw CommandFailure.usage(
                    "--evicts must be NOTHING, OWN, LOWER or ANY, is " + word, "see cella schedulers rights --help");
        }
    }

    private static MachineRule rule(String text) {
        Constraint rule = AttributeRule.parse(
                "--machines",
                text,
                "--machines all lets it use every machine; other operators can be said over HTTP:"
                        + " PUT /v1/schedulers/NAME/rights");
        return MachineRule.newBuilder()
                .setAttribute(rule.attribute())
                .setOperator(rule.operator().word())
                .setValue(rule.values().get(0))
                .build();
    }

    private void print(SchedulerRights rights) {
        Table table =
                new Table("SCHEDULER", ">PRIORITY MAX", "POOLS", "HOLDS", "OFFERS", ">SPARE", "EVICTS", "MACHINES");
        table.row(
                rights.getName(),
                rights.getPriorityMax(),
                rights.getPoolsCount() == 0 ? "all" : String.join(",", rights.getPoolsList()),
                rights.getHolds() ? "yes" : "no",
                rights.getOffers() ? "yes" : "no",
                rights.getSparePercentMax() + " %",
                rights.getEvicts().name().substring("EVICTS_".length()),
                rights.getMachinesCount() == 0
                        ? "all"
                        : rights.getMachinesList().stream()
                                .map(SchedulerRightsCommand::text)
                                .collect(Collectors.joining(" and ")));
        table.print(terminal);
        rights.getWarningsList().forEach(warning -> terminal.say("note:  " + warning));
    }

    private static String text(MachineRule rule) {
        String values = rule.hasValue() ? rule.getValue() : String.join(",", rule.getValuesList());
        return switch (rule.getOperator()) {
            case "eq" -> rule.getAttribute() + "=" + values;
            case "ne" -> rule.getAttribute() + "!=" + values;
            default -> (rule.getAttribute() + " " + rule.getOperator() + " " + values).strip();
        };
    }
}
