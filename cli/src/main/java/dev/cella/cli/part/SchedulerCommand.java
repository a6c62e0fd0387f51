package dev.cella.cli.part;

import dev.cella.chaos.processes.LiveTarget;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.plugin.PluginOption;
import dev.cella.cli.plugin.SchedulerSetting;
import dev.cella.cli.pool.AttributeRule;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.CellAddresses;
import dev.cella.client.LeaseBounds;
import dev.cella.client.access.TlsRole;
import dev.cella.client.proto.SchedulerConfiguration;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.placement.Constraint;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella scheduler}: one instance of a scheduler, for a cell elsewhere. */
@Command(
        name = "scheduler",
        header = "Runs a scheduler for a cell.",
        description = {"", "It waits for a cell that is not there yet. It logs to standard error.", ""},
        footer = {
            "",
            "Examples:",
            "  cella scheduler --type batch --address http://10.0.0.1:7070",
            "  cella scheduler --plugin my-scheduler.jar --type mine --option cores=2",
            "  cella scheduler --name left --within partition=left",
            "  cella scheduler --name science --offers --weight 2",
            "  cella scheduler --address http://10.0.0.1:7070 --cell http://10.0.1.1:7070",
            "  cella scheduler --config /etc/cella/scheduler.yaml --instance 1"
        })
public final class SchedulerCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--type", paramLabel = "TYPE", defaultValue = "batch", description = "its type (default: batch)")
    private String type = "batch";

    @Mixin
    private final PluginOption plugins = new PluginOption();

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "sets an option of the type, as cella scheduler types shows them; may be given again")
    private Map<String, String> set = Map.of();

    @Option(names = "--name", paramLabel = "NAME", description = "the name that jobs call it by (default: its type)")
    private @Nullable String name;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            defaultValue = "0",
            description = "which of several that share the name; the same again takes over from the older (default: 0)")
    private String instance = "0";

    @Option(names = "--seed", paramLabel = "N", description = "the seed of its draws (default: another each time)")
    private @Nullable Long seed;

    @Option(
            names = "--decision-time",
            paramLabel = "TIME",
            description = "how much longer than it takes it thinks about a job, to see schedulers collide:"
                    + " 0.1s+5ms*tasks (default: none)")
    private DecisionTime decisionTime = DecisionTime.NONE;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "10s",
            description = "how long the cell waits for a silent instance, at most 1h (default: 10s)")
    private Duration lease = LiveSchedulerOptions.LEASE;

    @Option(
            names = "--plan-time-max",
            paramLabel = "DURATION",
            description = "how long a plan is waited for before its job loses its turn, up to half the lease"
                    + " (default: that)")
    private @Nullable Duration planTimeMax;

    @Option(
            names = "--within",
            paramLabel = "RULE",
            description = "the machines that it plans on, attribute=value or attribute!=value: a static partition;"
                    + " cella schedulers rights NAME --machines RULE lets the cell refuse the others (default: all)")
    private @Nullable String within;

    @Option(
            names = "--tls",
            paramLabel = "DIR",
            description = "the certificates that cella tls init made, for a cell with TLS")
    private @Nullable String tls;

    @Mixin
    private final MoreCellsOption moreCells = new MoreCellsOption();

    @Mixin
    private final ChaosSwitch chaos = new ChaosSwitch();

    @Mixin
    private final OffersOption offers = new OffersOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final ConfigurationOption<SchedulerConfiguration> configuration;

    public SchedulerCommand(Terminal terminal) {
        this.terminal = terminal;
        this.configuration = new ConfigurationOption<>(SchedulerConfiguration.getDefaultInstance(), terminal);
    }

    @Override
    public Integer call() throws Exception {
        Scheduler<?> planner =
                SchedulerSetting.of(plugins.types(terminal), type, set).create();
        PartLog.toStandardError();
        LiveSchedulerOptions options = options();
        Parts parts = new Parts(terminal);
        LiveScheduler<?> scheduler = parts.start(() -> LiveScheduler.start(options, planner));
        parts.endWith(scheduler.ended(), "");
        chaos.allow(
                terminal,
                parts,
                Set.of(LiveTarget.Role.SCHEDULER),
                options.name(),
                options.cells().stream().flatMap(cell -> cell.all().stream()).toList(),
                false);
        terminal.print("scheduler " + options.name() + ", instance " + options.instance() + ", for "
                + options.cells().stream().map(CellAddresses::toString).collect(Collectors.joining(" and ")));
        terminal.out().flush();
        throw parts.run();
    }

    private LiveSchedulerOptions options() {
        if (lease.compareTo(LeaseBounds.SESSION_MAX) > 0) {
            throw CommandFailure.usage(
                    configuration.said("--lease") + " is longer than " + LeaseBounds.SESSION_MAX.toHours() + "h",
                    "see cella scheduler --help");
        }
        LiveSchedulerOptions plain = LiveSchedulerOptions.of(
                        cellOption.addresses(
                                terminal, configuration.said("--address"), TlsRole.SCHEDULER, Optional.ofNullable(tls)),
                        name == null ? type : name,
                        type,
                        instance,
                        seed == null ? new SecureRandom().nextLong() : seed)
                .withMoreCells(moreCells())
                .withLease(lease)
                .withPlanTimeMax(planTimeMax())
                .withDecisionTime(decisionTime)
                .within(partition());
        return offers.get().map(plain::withOffers).orElse(plain);
    }

    private List<CellAddresses> moreCells() {
        return moreCells.get(configuration).stream()
                .map(other -> cellOption.addressesOf(
                        terminal, other, configuration.said("--cell"), TlsRole.SCHEDULER, Optional.ofNullable(tls)))
                .toList();
    }

    private List<Constraint> partition() {
        return within == null
                ? List.of()
                : List.of(AttributeRule.parse(configuration.said("--within"), within, "see cella scheduler --help"));
    }

    private Duration planTimeMax() {
        Duration half = lease.dividedBy(2);
        if (planTimeMax != null && planTimeMax.isZero()) {
            throw CommandFailure.usage(
                    configuration.said("--plan-time-max") + " is above 0s", "see cella scheduler --help");
        }
        if (planTimeMax != null && planTimeMax.compareTo(half) > 0) {
            throw CommandFailure.usage(
                    "a plan may take half of the lease at most, " + Words.duration(half) + ", not "
                            + Words.duration(planTimeMax),
                    "a longer --lease allows it: while a scheduler plans its session is not renewed");
        }
        return planTimeMax == null ? half : planTimeMax;
    }
}
