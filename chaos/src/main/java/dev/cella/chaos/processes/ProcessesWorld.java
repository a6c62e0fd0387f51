package dev.cella.chaos.processes;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay;
import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.SchedulerSpec;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.TaskCounts;
import dev.cella.state.core.ReplicaLimits;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One run of a scenario among processes: starts the cell, lets the users and the faults at it for the safety phase, heals
 * everything, waits until nothing is left to do, and reads the evidence.
 */
public final class ProcessesWorld {
    private static final long TICK_MILLIS = 50;
    private static final long SAY_EVERY_MILLIS = 5_000;

    /** The last reports arrive and nothing else happens. */
    private static final long QUIET_MILLIS = 1_000;

    private final Scenario scenario;
    private final List<PlannedFault> faults;
    private final long seed;
    private final List<String> cella;
    private final List<String> plugins;
    private final Optional<Path> enclosedIn;
    private final Consumer<String> progress;

    /**
     * @param cella the command that runs {@code cella}
     * @param plugins the jars of scheduler types
     * @param enclosedIn a folder for the files of runs, if this process is in an {@link Enclosure}
     */
    public ProcessesWorld(
            Scenario scenario,
            List<PlannedFault> faults,
            long seed,
            List<String> cella,
            List<String> plugins,
            Optional<Path> enclosedIn,
            Consumer<String> progress) {
        this.scenario = scenario;
        this.faults = List.copyOf(faults);
        this.seed = seed;
        this.cella = List.copyOf(cella);
        this.plugins = List.copyOf(plugins);
        this.enclosedIn = enclosedIn;
        this.progress = progress;
    }

    /**
     * Makes the run, to its end.
     *
     * @throws CouldNotRunException if this machine does not let it be made
     */
    public WorldResult run() {
        try {
            return runHere();
        } catch (Tool.Refusal | UncheckedIOException refused) {
            throw new CouldNotRunException(refused);
        }
    }

    private WorldResult runHere() {
        RunFolder folder = enclosedIn.map(RunFolder::in).orElseGet(RunFolder::make);
        Optional<HostNetwork> network = enclosedIn.map(enclosed -> new HostNetwork(ProcessCell.hosts(scenario)));
        progress.accept("starting " + ProcessCell.hosts(scenario) + " processes in " + folder.path());
        try (ProcessCell cell = ProcessCell.start(scenario, faults, folder.path(), cella, plugins, network)) {
            return new Observed(cell).run();
        } finally {
            network.ifPresent(HostNetwork::close);
            folder.close();
        }
    }

    /** The run of a cell that is up, with everybody who watches it. */
    private final class Observed {
        private final ProcessCell cell;
        private final History history = new History(ReplicaLimits.defaults().cell());
        private final RunClock clock = new RunClock();
        private final SplittableRandom random = new SplittableRandom(seed);
        private final ProcessUsers users;
        private final ProcessFaults injector;
        private final CellSampler sampler;
        private long saidAt;

        Observed(ProcessCell cell) {
            this.cell = cell;
            List<String> schedulers =
                    cell.parts(Part.Role.SCHEDULER).stream().map(Part::name).toList();
            this.users = new ProcessUsers(
                    cell.addresses(), schedulers, scenario.load(), scenario.safetyMillis(), clock, random.split());
            this.injector = new ProcessFaults(cell, users, faults, random.split());
            this.sampler = new CellSampler(cell, clock);
        }

        WorldResult run() {
            FeedWatchers watchers = new FeedWatchers(cell.addresses(), clock);
            try {
                clock.begin();
                Thread submitting = daemon(users, "users");
                Thread sampling = daemon(sampler, "samples");
                while (clock.millis() < scenario.safetyMillis() || injector.awaitsBite(clock.millis())) {
                    injector.tick(clock.millis());
                    say("faults");
                    ProcessCell.pause(TICK_MILLIS);
                }
                injector.healAll(clock.millis());
                // A program that starts takes as long as the machine takes: that is no part of what the cell must do in
                // time.
                cell.awaitServers();
                cell.awaitSchedulers();
                injector.awaitHealed(ProcessCell.READY_MAX);
                history.healed(clock.getAsLong());
                users.finish();
                awaitQuiet(submitting);
                users.end();
                sampler.end();
                join(submitting);
                join(sampling);
            } finally {
                watchers.close();
            }
            history.feedSteps.addAll(watchers.steps());
            return evidence();
        }

        private void say(String phase) {
            if (clock.millis() >= saidAt + SAY_EVERY_MILLIS) {
                saidAt = clock.millis();
                String state = cell.summary().map(Observed::text).orElse("no server answers");
                progress.accept(String.format(Locale.ROOT, "%3d s  %s: %s", saidAt / 1_000, phase, state));
            }
        }

        private static String text(CellSummary said) {
            return "leader " + (said.hasLeader() ? said.getLeader() : "none") + ", version " + said.getVersion() + ", "
                    + said.getTasks().getPending() + " pending, "
                    + said.getTasks().getRunning() + " running";
        }

        /**
         * Until all jobs are submitted and no batch task is under way, for the liveness phase at most. A busy machine gets longer
         * while the cell gets on: {@link Patience}.
         */
        private void awaitQuiet(Thread submitting) {
            Patience patience = new Patience(clock.millis(), scenario.livenessMillis());
            while (patience.lasts(clock.millis()) && (submitting.isAlive() || !isQuiet())) {
                say("healed");
                cell.summary().ifPresent(said -> patience.sees(clock.millis(), underWay(said.getTasks())));
                ProcessCell.pause(4 * TICK_MILLIS);
            }
            ProcessCell.pause(QUIET_MILLIS);
        }

        private static long underWay(TaskCounts tasks) {
            return tasks.getPending() + tasks.getPlaced() + tasks.getStopping() + tasks.getRunning();
        }

        private boolean isQuiet() {
            return cell.summary()
                    .filter(CellSummary::hasLeader)
                    .filter(said -> said.getMachines().getDown() == 0)
                    .map(CellSummary::getTasks)
                    .filter(tasks -> tasks.getPending() + tasks.getPlaced() + tasks.getStopping() == 0)
                    .map(TaskCounts::getRunning)
                    .filter(running -> running == users.servicesWanted())
                    .isPresent();
        }

        private WorldResult evidence() {
            history.ended(clock.getAsLong());
            List<Part> servers = cell.parts(Part.Role.SERVER);
            List<Part> agents = cell.parts(Part.Role.AGENT);
            long killedMillis = System.currentTimeMillis();
            servers.forEach(Part::kill);
            // First of all: an agent without a cell ends its tasks when its lease is over.
            List<AgentJournal.Attempt> attempts = agents.stream()
                    .flatMap(agent -> AgentJournal.read(agent.data(), killedMillis).stream())
                    .toList();
            RunEvidence evidence = new RunEvidence(history, clock.beganMillis());
            evidence.takeLogs(servers.stream()
                    .map(server -> ReplicaLog.read(server.name(), server.data()))
                    .toList());
            Replay replay = Replay.of(history);
            evidence.takeCalls(users.calls(), users.reads());
            evidence.takeAgents(agents.stream().map(Part::name).toList(), replay);
            evidence.takeJournals(attempts, replay);
            history.leaderless.addAll(sampler.leaderless());
            scenario.schedulers().forEach(this::noteDecision);
            cell.parts(Part.Role.SCHEDULER).forEach(scheduler -> history.alive.add(scheduler.name()));
            history.untrusted.addAll(injector.untrusted());
            history.overloads.addAll(users.overloads());
            history.trespasses.addAll(injector.trespasses());
            return new WorldResult(
                    history,
                    RunEvidence.timeline(sampler.samples(), replay),
                    injector.runs(),
                    replay.end().digest(),
                    history.log.size(),
                    0);
        }

        private void noteDecision(SchedulerSpec spec) {
            history.decisionMillis.put(spec.name(), spec.decisionMillis());
        }

        private static Thread daemon(Runnable body, String name) {
            Thread thread = new Thread(body, name);
            thread.setDaemon(true);
            thread.start();
            return thread;
        }

        private static void join(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", interrupted);
            }
        }
    }
}
