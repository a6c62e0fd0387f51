package dev.cella.cli.chaos;

import dev.cella.chaos.processes.AbortCondition;
import dev.cella.chaos.processes.LiveFaults;
import dev.cella.chaos.processes.LiveTarget;
import dev.cella.chaos.processes.Signals;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.part.ChaosSwitch;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.HttpCellOptions;
import dev.cella.client.json.NearestName;
import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.CellSummary;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella chaos inject}: one fault on a cell that runs. */
@Command(
        name = "inject",
        header = "Injects a fault into a running cell, and heals it.",
        description = {
            "The parts of the cell must be on this machine and started with --chaos. Another process executes the fault"
                    + " and heals it when its time is over, or when this command has gone.",
            "Exit code 0: the fault had an effect and is healed. 1: a condition of --abort-if was met. 2: it could not be"
                    + " injected, or ended early. 3: it was VOID.",
            "JSON and YAML come at the end: {fault, on[], outcome: HEALED/HEALED_EARLY/VOID, why}."
        },
        footer = {
            "",
            "Examples:",
            "  cella chaos inject replica-pause --on leader --for 10s",
            "  cella chaos inject slow-agent --for 20s --abort-if 'pending > 100 for 10s'"
        })
public final class ChaosInjectCommand implements Callable<Integer> {
    private static final HttpCellOptions SOON = new HttpCellOptions(Duration.ofSeconds(1), Duration.ofSeconds(1));
    private static final long LOOK_EVERY_MILLIS = 250;
    private static final String ALL = "all";
    private static final String MAJORITY = "majority";
    private static final String LEADER = "leader";
    private static final String FOLLOWER = "follower";

    private final Terminal terminal;

    @Parameters(paramLabel = "FAULT", description = "the name of a fault, as cella chaos list shows it")
    private String fault = "";

    @Option(
            names = "--on",
            paramLabel = "WHAT",
            description = "leader, follower, majority, all, or the name of a server, scheduler or agent (default: any)")
    private String on = "any";

    @Option(names = "--for", paramLabel = "DURATION", required = true, description = "how long the fault lasts")
    private Duration length = Duration.ZERO;

    @Option(
            names = "--abort-if",
            paramLabel = "CONDITION",
            description = "ends the fault at once if the cell reaches this state, such as 'pending > 100 for 10s'; the"
                    + " numbers are pending, placed, running (tasks) and down (machines); may be given again")
    private List<String> abortIf = List.of();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public ChaosInjectCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        output.refuseNames();
        FaultKind kind = kind();
        List<AbortCondition> conditions = conditions();
        if (length.isZero()) {
            throw ChaosFailure.couldNotRun("--for is above 0s", "see cella chaos inject --help");
        }
        CellAddresses addresses = cellOption.addresses(terminal);
        CellSummary cell = new HttpCell(addresses).getCell();
        List<LiveTarget> chosen = choose(kind, cell, addresses);
        otherServers(kind, chosen, cell).ifPresent(terminal::say);
        chosen.forEach(target -> checkAllowed(kind, target));
        return inject(kind, chosen, conditions, serversOf(cell, addresses));
    }

    // ---- everything that can be refused is refused before anything starts

    private FaultKind kind() {
        Optional<FaultKind> found = FaultKind.find(fault);
        if (found.isEmpty()) {
            throw ChaosFailure.couldNotRun(
                    "there is no fault " + fault,
                    NearestName.to(fault, FaultKind.names())
                            .map(near -> "did you mean " + near + "?")
                            .orElse("cella chaos list shows all"));
        }
        if (LiveFaults.on(found.get()).isEmpty()) {
            throw ChaosFailure.couldNotRun(
                    fault + " cannot be injected into a running cell",
                    "these can: " + String.join(", ", LiveFaults.names()) + "; cella chaos run does the others");
        }
        return found.get();
    }

    private List<AbortCondition> conditions() {
        try {
            return abortIf.stream().map(AbortCondition::parse).toList();
        } catch (IllegalArgumentException wrong) {
            throw ChaosFailure.couldNotRun("--abort-if: " + wrong.getMessage(), "see cella chaos inject --help");
        }
    }

    private static List<URI> serversOf(CellSummary cell, CellAddresses addresses) {
        Set<URI> servers = new LinkedHashSet<>(addresses.all());
        cell.getReplicasList().stream()
                .map(CellReplica::getAddress)
                .filter(address -> !address.isEmpty())
                .map(URI::create)
                .forEach(servers::add);
        return List.copyOf(servers);
    }

    private List<LiveTarget> choose(FaultKind kind, CellSummary cell, CellAddresses addresses) {
        List<LiveTarget> all =
                ChaosSwitch.targets(terminal.environment()).ofCell(Set.copyOf(serversOf(cell, addresses)));
        if (all.isEmpty()) {
            throw ChaosFailure.couldNotRun(
                    "no process of the cell at " + addresses.first() + " on this machine allows faults",
                    "start cella dev, or servers, schedulers and agents, with --chaos, as the user of this command");
        }
        LiveTarget.Role role = LiveFaults.on(kind).orElseThrow();
        return choose(
                on,
                kind,
                all.stream().filter(each -> each.does().contains(role)).toList(),
                cell);
    }

    /**
     * Chooses what the fault is on.
     *
     * @param fitting the processes of the cell that allow faults and do what this one is on
     */
    static List<LiveTarget> choose(String on, FaultKind kind, List<LiveTarget> fitting, CellSummary cell) {
        LiveTarget.Role role = LiveFaults.on(kind).orElseThrow();
        if (fitting.isEmpty()) {
            throw ChaosFailure.couldNotRun(
                    "no " + words(role) + " of this cell on this machine allows faults",
                    "start cella dev or cella " + words(role) + " with --chaos, as the user of this command");
        }
        List<LiveTarget> chosen = chosen(on, role, fitting, cell);
        if (chosen.isEmpty()) {
            List<String> names = fitting.stream().map(LiveTarget::name).toList();
            throw ChaosFailure.couldNotRun(
                    whyNobody(on, role, cell),
                    NearestName.to(on, names)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("those for " + kind.words() + ": " + String.join(", ", names)));
        }
        return chosen;
    }

    private static String words(LiveTarget.Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    static List<LiveTarget> chosen(String on, LiveTarget.Role role, List<LiveTarget> fitting, CellSummary cell) {
        return switch (on) {
            case ALL -> fitting;
            case "any" -> fitting.stream().limit(1).toList();
            case MAJORITY -> first(majority(count(role, fitting, cell)), fitting);
            case LEADER ->
                fitting.stream().filter(each -> isLeader(each, role, cell)).toList();
            case FOLLOWER ->
                fitting.stream()
                        .filter(each -> role == LiveTarget.Role.SERVER && !isLeader(each, role, cell))
                        .limit(1)
                        .toList();
            default -> fitting.stream().filter(each -> each.name().equals(on)).toList();
        };
    }

    /** Servers are counted in the whole cell, others among those that allow faults. */
    private static int count(LiveTarget.Role role, List<LiveTarget> fitting, CellSummary cell) {
        return role == LiveTarget.Role.SERVER ? Math.max(1, cell.getReplicasCount()) : fitting.size();
    }

    private static int majority(int count) {
        return count / 2 + 1;
    }

    /** Nobody if there are fewer. */
    private static List<LiveTarget> first(int count, List<LiveTarget> of) {
        return of.size() < count ? List.of() : of.subList(0, count);
    }

    /** The server of a cell of one replica leads it, whatever its process is called. */
    private static boolean isLeader(LiveTarget target, LiveTarget.Role role, CellSummary cell) {
        return role == LiveTarget.Role.SERVER && (isAlone(cell) || target.name().equals(cell.getLeader()));
    }

    private static boolean isAlone(CellSummary cell) {
        return cell.getReplicasCount() <= 1;
    }

    static String whyNobody(String on, LiveTarget.Role role, CellSummary cell) {
        boolean server = role == LiveTarget.Role.SERVER;
        if (on.equals(LEADER) && server && !cell.hasLeader()) {
            return "the cell has no leader now";
        }
        if (on.equals(LEADER) && server) {
            return "the leader, " + cell.getLeader() + ", does not allow faults";
        }
        if (on.equals(FOLLOWER) && server) {
            return isAlone(cell) ? "the cell has one replica, and no follower" : "no follower allows faults";
        }
        if (on.equals(MAJORITY) && server) {
            return "a majority of the cell is " + majority(cell.getReplicasCount())
                    + " servers, and fewer allow faults here";
        }
        if (on.equals(LEADER) || on.equals(FOLLOWER)) {
            return "only servers lead and follow: name one " + words(role);
        }
        return "no process that allows faults is called " + on;
    }

    /** Returns the warning that {@code all} are not all servers of the cell. */
    private Optional<String> otherServers(FaultKind kind, List<LiveTarget> chosen, CellSummary cell) {
        int servers = count(LiveFaults.on(kind).orElseThrow(), chosen, cell);
        return on.equals(ALL) && chosen.size() < servers
                ? Optional.of("only " + chosen.size() + " of " + servers + " servers allow faults here")
                : Optional.empty();
    }

    private static void checkAllowed(FaultKind kind, LiveTarget target) {
        if (!Signals.isAllowed(target.pid())) {
            throw ChaosFailure.couldNotRun(
                    "this user may not send signals to " + target.name() + " (pid " + target.pid() + ")",
                    "run the command as the user of that process, or as root");
        }
        if (LiveFaults.kills(kind) && target.owned()) {
            throw ChaosFailure.couldNotRun(
                    target.name() + " belongs to a cella dev, and nobody could start it again",
                    "use replica-pause, or start servers, schedulers and agents of their own with --chaos");
        }
    }

    // ---- the fault

    private int inject(FaultKind kind, List<LiveTarget> chosen, List<AbortCondition> conditions, List<URI> servers)
            throws IOException, InterruptedException {
        Injected injected = new Injected(kind, chosen);
        Watch watch = new Watch(conditions, servers);
        watch.met().ifPresent(condition -> {
            throw ChaosFailure.couldNotRun(
                    "'" + condition + "' is so already, and --abort-if would end the fault at once",
                    "wait until it is not, or give another condition");
        });
        GuardProcess guard = GuardProcess.start(kind, injected.pids(), length);
        Interruption interruption = Interruption.answeredBy(() -> {
            guard.end();
            terminal.say("interrupted: " + injected.afterGuard(guard));
        });
        if (!guard.begins()) {
            interruption.close();
            injected.healWithoutGuard();
            if (guard.isToldToEnd()) {
                return ExitCode.INTERRUPTED.number();
            }
            throw ChaosFailure.couldNotRun(
                    kind.words() + " did not begin on " + injected.names(), "look whether the process is still there");
        }
        if (output.isTable()) {
            terminal.print(injected + " for " + Words.duration(length));
            terminal.out().flush();
        }
        Optional<AbortCondition> met = watch.until(guard);
        met.ifPresent(condition -> guard.end());
        Optional<String> last = guard.lastWords();
        interruption.close();
        watch.silence().ifPresent(terminal::say);
        if (last.isEmpty()) {
            throw ChaosFailure.couldNotRun(
                    injected.healWithoutGuard(), "somebody killed the process that executed the fault");
        }
        return report(injected, met.orElse(null), last.get());
    }

    /** How a fault ended that was executed. */
    private enum Outcome {
        HEALED,
        HEALED_EARLY,
        VOID
    }

    /** The fault and the processes that it is on. */
    private record Injected(FaultKind kind, List<LiveTarget> chosen) {
        List<Long> pids() {
            return chosen.stream().map(LiveTarget::pid).toList();
        }

        String names() {
            return String.join(", ", chosen.stream().map(LiveTarget::name).toList());
        }

        Map<String, Object> data(Outcome outcome, String why) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("fault", kind.words());
            data.put("on", chosen.stream().map(LiveTarget::name).toList());
            data.put("outcome", outcome);
            data.put("why", why);
            return data;
        }

        /** Says how it went, after the guard has ended. */
        String afterGuard(GuardProcess guard) {
            Optional<String> last = lastWords(guard);
            if (last.isEmpty()) {
                return healWithoutGuard();
            }
            if (last.get().startsWith(ChaosGuardCommand.LOST)) {
                return isNotBack(last.get());
            }
            return this + (guard.hasBegun() ? " is healed" : " did not begin");
        }

        private static Optional<String> lastWords(GuardProcess guard) {
            try {
                return guard.lastWords();
            } catch (IOException unreadable) {
                return Optional.empty();
            }
        }

        /** A killed process did not start again: the guard's last words name it. */
        String isNotBack(String last) {
            return this + " is not healed: " + last.substring(ChaosGuardCommand.LOST.length()) + " did not start again";
        }

        /** Does in place of a guard that was killed what can be done, and says it. */
        String healWithoutGuard() {
            LiveFaults.healWithoutGuard(kind, pids());
            return LiveFaults.kills(kind)
                    ? this + " is not healed: start " + names() + " again if it does not run"
                    : this + " is healed, and ended before its time";
        }

        @Override
        public String toString() {
            return kind.words() + " on " + names();
        }
    }

    /** Looks at the cell for the conditions of {@code --abort-if}, and counts how often nobody answered. */
    private final class Watch {
        private final List<AbortCondition> conditions;
        private final List<URI> servers;
        private int looks;
        private int unanswered;

        Watch(List<AbortCondition> conditions, List<URI> servers) {
            this.conditions = conditions;
            this.servers = servers;
        }

        /** Until the fault is over or a condition is met. */
        Optional<AbortCondition> until(GuardProcess guard) throws InterruptedException {
            while (!guard.isOver()) {
                Optional<AbortCondition> met = met();
                if (met.isPresent()) {
                    return met;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            }
            return Optional.empty();
        }

        Optional<AbortCondition> met() {
            if (conditions.isEmpty()) {
                return Optional.empty();
            }
            Instant now = terminal.environment().clock().instant();
            Optional<CellSummary> cell = ask(servers);
            looks++;
            unanswered += cell.isEmpty() ? 1 : 0;
            return cell.flatMap(shown ->
                    conditions.stream().filter(each -> each.isSo(shown, now)).findFirst());
        }

        Optional<String> silence() {
            return unanswered == 0
                    ? Optional.empty()
                    : Optional.of("note:  no server answered " + unanswered + " of the " + looks
                            + " looks for --abort-if: meanwhile no condition could end the fault");
        }
    }

    private Optional<CellSummary> ask(List<URI> servers) {
        for (URI server : servers) {
            try {
                CellAddresses one = CellAddresses.of(server)
                        .with(cellOption.addresses(terminal).access());
                return Optional.of(new HttpCell(one, SOON).getCell());
            } catch (CellUnreachable | Problem cannot) {
                // A server that is paused says nothing; the next one may.
            }
        }
        return Optional.empty();
    }

    private int report(Injected injected, @Nullable AbortCondition met, String last) {
        FaultKind kind = injected.kind();
        if (last.startsWith(ChaosGuardCommand.LOST)) {
            throw ChaosFailure.couldNotRun(injected.isNotBack(last), "start it by hand; its log says why it ended");
        }
        if (met != null) {
            print(injected.data(Outcome.HEALED_EARLY, met.toString()), "healed early: " + met);
            return ExitCode.FAILED.number();
        }
        if (last.startsWith(ChaosGuardCommand.LAPSED)) {
            throw ChaosFailure.couldNotRun(
                    kind.words() + " was healed after " + last.substring(ChaosGuardCommand.LAPSED.length()) + ", not "
                            + Words.duration(length) + ": its lease was not renewed, or its executor was told to stop",
                    "if this command stood still meanwhile, inject the fault again");
        }
        if (last.startsWith(ChaosGuardCommand.VOID)) {
            String why = last.substring(ChaosGuardCommand.VOID.length());
            print(injected.data(Outcome.VOID, why), "VOID: " + why);
            return ChaosExit.NOTHING_BIT.number();
        }
        String successors = last.substring(ChaosGuardCommand.ENDED.length()).strip();
        print(
                injected.data(Outcome.HEALED, kind.heals()),
                "healed: " + kind.heals() + (successors.isEmpty() ? "" : "\n" + successors));
        return ExitCode.DONE.number();
    }

    private void print(Map<String, Object> data, String text) {
        output.print(terminal, () -> data, () -> terminal.print(text));
    }
}
