package dev.cella.agent.runner;

import dev.cella.agent.keeper.Journal;
import dev.cella.agent.keeper.JvmEncoding;
import dev.cella.agent.keeper.Keeper;
import dev.cella.agent.keeper.KeptEnd;
import dev.cella.agent.keeper.KeptLaunch;
import dev.cella.agent.keeper.KeptState;
import dev.cella.agent.keeper.OutputWriter;
import dev.cella.agent.keeper.TaskGroup;
import dev.cella.agent.keeper.TaskProcesses;
import dev.cella.agent.logs.AttemptKey;
import dev.cella.agent.logs.OutputStore;
import dev.cella.agent.machine.Devices;
import dev.cella.agent.reconciler.Adopted;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.agent.reconciler.IsolationLevel;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.RunSettings;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.client.job.ArgumentTemplate;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskReason;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts as processes of the operating system. The keeper owns the processes, so they outlive this agent ({@link
 * Keeper}). This class decides how they are started and what their ends mean.
 *
 * <p>All requests run on one thread, in order, so a stop after a start finds it started. The attempts' listeners run on the
 * keeper's reader thread.
 */
public final class ProcessRunner implements TaskRunner, Keeper.Listener {
    private static final Logger logger = LoggerFactory.getLogger(ProcessRunner.class);

    private static final Duration CLOSE_GRACE = Duration.ofSeconds(1);
    private static final long ROUND_NANOS = Duration.ofMillis(5).toNanos();

    /** The kernel's number for arguments and variables that are too long, as JVMs write it. */
    private static final Pattern TOO_LONG = Pattern.compile("error[=:] ?7\\b");

    /** The most that {@link java.io.DataOutputStream#writeUTF} takes, by which the keeper is told. */
    private static final int ARGUMENT_BYTES_MAX = 65_535;

    /** One argument has room for the references to this number of variables. */
    private static final int VARIABLES_MAX = 4_000;

    private static final String IN_A_FILE = ": put it in a file that the command reads";

    private static final String TOO_LONG_HINT =
            "; Linux usually takes at most 2 MiB for all arguments and variables" + IN_A_FILE;

    private record Attempt(KeptTag tag, AttemptKey key, Path folder, Listener listener, long startedNanos) {
        PlacementId placement() {
            return tag.launch().assignment().placement();
        }

        RunSettings settings() {
            return tag.launch().run().settings();
        }
    }

    private final Isolation isolation;
    private final Keeper keeper;
    private final OutputStore outputs;
    private final Map<String, Devices> devices;
    private final WorkFolders workFolders;
    private final DiskRoom room;
    private final Path dataDirectory;
    private final String markPrefix;
    private final Map<String, Attempt> byMark = new ConcurrentHashMap<>();
    private final Map<PlacementId, String> marks = new ConcurrentHashMap<>();
    private final Map<PlacementId, String> hosts = new HashMap<>();
    private final HealthChecks checks = new HealthChecks();
    private final UsageMeter meter = new UsageMeter();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread created = new Thread(work, "task-processes");
        created.setDaemon(true);
        return created;
    });

    /**
     * @param devices of each machine, by its name
     * @param markPrefix a unique word that distinguishes this agent's processes from all others
     */
    public ProcessRunner(
            Isolation isolation,
            Keeper keeper,
            OutputStore outputs,
            Map<String, Devices> devices,
            Path dataDirectory,
            String markPrefix)
            throws IOException {
        this.isolation = isolation;
        this.keeper = keeper;
        this.outputs = outputs;
        this.devices = Map.copyOf(devices);
        this.dataDirectory = dataDirectory;
        this.workFolders = WorkFolders.open(dataDirectory);
        this.room = DiskRoom.of(List.of(outputs.root(), workFolders.root()));
        this.markPrefix = markPrefix;
    }

    /**
     * The attempts that an earlier agent left on that machine; their listener receives their ends. Called once for each
     * machine, before {@link #begin}.
     */
    public List<Adopted> adopt(String machine, Listener listener) {
        List<Adopted> adopted = new ArrayList<>();
        for (KeptState state : keeper.kept()) {
            Optional<KeptTag> tag =
                    KeptTag.read(state.tag()).filter(found -> found.machine().equals(machine));
            if (tag.isPresent()) {
                Attempt attempt = attempt(tag.get(), listener, state.startedAgoMillis());
                remember(state.mark(), attempt);
                Optional<TaskEnd> end = state.end().map(how -> meaning(attempt, how));
                adopted.add(new Adopted(tag.get().launch(), state.startedAgoMillis(), end));
            }
        }
        return adopted;
    }

    private Attempt attempt(KeptTag tag, Listener listener, long startedAgoMillis) {
        AttemptKey key = key(tag.machine(), tag.launch().assignment());
        return new Attempt(tag, key, outputs.folder(key), listener, UsageMeter.startedNanos(startedAgoMillis));
    }

    private void remember(String mark, Attempt attempt) {
        byMark.put(mark, attempt);
        marks.put(attempt.placement(), mark);
    }

    /**
     * From now on the keeper's events arrive. Attempts that nobody adopted, because their machine is no longer this agent's,
     * are ended.
     */
    public void begin() {
        for (KeptState state : keeper.kept()) {
            Attempt attempt = byMark.get(state.mark());
            if (attempt == null) {
                keeper.signal(state.mark(), "KILL");
                keeper.forget(state.mark());
            } else if (state.end().isEmpty()) {
                question(state.mark(), attempt).ifPresent(question -> beginCheck(attempt, question));
            } else {
                removeImage(state.mark(), attempt);
            }
        }
        isolation.images().ifPresent(this::removeBundlesLeft);
        keeper.listen(this);
    }

    /** Tasks left them that ended while no agent was there, or whose keeper died. */
    private void removeBundlesLeft(ImageDriver driver) {
        Set<String> running = keeper.kept().stream()
                .filter(state -> state.end().isEmpty())
                .map(KeptState::mark)
                .collect(Collectors.toSet());
        String[] found = bundles().toFile().list();
        Stream.of(found == null ? new String[0] : found)
                .filter(mark -> !running.contains(mark))
                .forEach(mark -> driver.remove(mark, bundles()));
    }

    /** What to run when the disks of tasks have no room any longer, or again. */
    public void onRoomChange(Runnable change) {
        room.onChange(change);
    }

    /** Looks whether the disks of tasks have room. */
    public void lookForRoom() {
        thread.execute(this::hasRoom);
    }

    private boolean hasRoom() {
        workFolders.makeAgain();
        return room.isThere();
    }

    /** Why no task can begin; empty if one can. */
    public Optional<String> whyNoRoom() {
        return room.whyNone();
    }

    @Override
    public void start(String machine, Launch launch, Listener listener) {
        thread.execute(() -> startNow(new KeptTag(machine, launch), listener));
    }

    private void startNow(KeptTag tag, Listener listener) {
        Assignment assignment = tag.launch().assignment();
        AttemptKey key = key(tag.machine(), assignment);
        if (!hasRoom()) {
            listener.ended(assignment.placement(), TaskEnd.returned());
            return;
        }
        try {
            outputs.create(key);
        } catch (IOException failure) {
            noOutputFolder(tag, failure, listener);
            return;
        }
        Attempt attempt = attempt(tag, listener, 0);
        String mark = markPrefix + "-" + assignment.placement();
        try {
            KeptLaunch order = order(mark, attempt);
            remember(mark, attempt);
            keeper.start(order);
        } catch (NotStartedException refusal) {
            notStarted(attempt, refusal);
        } catch (IOException keeperIsGone) {
            logger.warn("task={} event=keeper-gone: the next keeper reports how it ended", assignment, keeperIsGone);
        } catch (RuntimeException failure) {
            logger.warn("task={} machine={} event=not-started", assignment, tag.machine(), failure);
            notStarted(attempt, new NotStartedException(TaskReason.NOT_STARTED, why(failure)));
        }
    }

    private void noOutputFolder(KeptTag tag, IOException failure, Listener listener) {
        Assignment assignment = tag.launch().assignment();
        if (room.isThereAfterFailure()) {
            logger.warn("task={} machine={} event=no-output-folder", assignment, tag.machine(), failure);
            listener.ended(assignment.placement(), TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        } else {
            listener.ended(assignment.placement(), TaskEnd.returned());
        }
    }

    /** The agent can use only paths that its locale can write. */
    private static String why(RuntimeException failure) {
        if (failure instanceof InvalidPathException path) {
            return "the agent cannot use the path " + path.getInput() + ": " + path.getReason()
                    + "; if the agent's locale does not have one of its letters, start the agent with LC_ALL=C.UTF-8";
        }
        return "the agent failed to start it: " + failure;
    }

    private static AttemptKey key(String machine, Assignment assignment) {
        return new AttemptKey(
                machine,
                assignment.task().job().version(),
                assignment.task().group(),
                assignment.task().index(),
                assignment.attempt());
    }

    /** The user reads the reason in the task's own output. A task whose machine has no room for it is given back. */
    private void notStarted(Attempt attempt, NotStartedException refusal) {
        removeWork(attempt);
        if (refusal.reason() == TaskReason.NOT_STARTED && !room.isThereAfterFailure()) {
            outputs.ended(attempt.key());
            attempt.listener().ended(attempt.placement(), TaskEnd.returned());
            return;
        }
        try {
            OutputWriter.addLine(attempt.folder(), "stderr", "cella: " + refusal.getMessage());
            Journal.endedUnstarted(attempt.folder());
        } catch (IOException failure) {
            logger.warn("task={} event=not-started: {}", attempt.key(), refusal.getMessage(), failure);
        }
        outputs.ended(attempt.key());
        attempt.listener().ended(attempt.placement(), TaskEnd.neverStarted(refusal.reason()));
    }

    private void removeWork(Attempt attempt) {
        try {
            workFolders.remove(attempt.key());
        } catch (IOException failure) {
            logger.warn("task={} event=work-folder-left", attempt.key(), failure);
        }
    }

    private KeptLaunch order(String mark, Attempt attempt) throws NotStartedException {
        Launch launch = attempt.tag().launch();
        RunSettings settings = attempt.settings();
        IsolationLevel level = level(settings);
        Optional<TaskUser> user = user(settings);
        Path work = workFolder(attempt.key(), user);
        writeHosts(attempt.placement(), work);
        TaskEnvironment environment = TaskEnvironment.of(
                attempt.tag().machine(), launch, mark, work, Optional.ofNullable(System.getenv("LANG")));
        Path directory = settings.image().isPresent()
                ? launch.run().directory().map(work::resolve).orElse(work)
                : enterable(launch, work, user);
        Isolation.Start start = new Isolation.Start(
                command(launch, environment, directory),
                environment.variables(),
                level,
                user,
                group(mark, settings, launch.spare()),
                settings.resources(),
                settings.ownNetwork(),
                work,
                directory,
                attempt.tag().machine(),
                Isolation.hidden(dataDirectory),
                devices(attempt.tag()));
        List<String> wrapped =
                settings.image().isPresent() ? inImage(mark, settings, launch.spare(), start) : isolation.wrap(start);
        List<String> command = launch.spare() ? isolation.standingBack(wrapped) : wrapped;
        Map<String, String> outer = new HashMap<>(surroundings(mark));
        if (settings.image().isEmpty()) {
            checkCount(environment.variables());
            outer.putAll(Isolation.handed(environment.variables()));
        }
        checkLengths(command);
        checkLengths(outer.values());
        boolean isInside = isInNamespace(settings);
        return new KeptLaunch(
                mark,
                attempt.tag().bytes(),
                settings.endsWithAgent(),
                isInside,
                command,
                outer,
                isInside ? work : directory,
                work,
                attempt.folder(),
                outputs.streamBytesMax(),
                diskBytesMax(settings),
                start.group());
    }

    /** The environment of what the agent itself runs before an attempt's command. */
    private static Map<String, String> surroundings(String mark) {
        return Map.of("PATH", Programs.PATH_DEFAULT, TaskProcesses.MARK_VARIABLE, mark);
    }

    private static void checkCount(Map<String, String> variables) throws NotStartedException {
        if (variables.size() > VARIABLES_MAX) {
            throw new NotStartedException(
                    TaskReason.NOT_STARTED,
                    "it has %,d variables, and the agent takes at most %,d: put them in a file that the command reads"
                            .formatted(variables.size(), VARIABLES_MAX));
        }
    }

    /** An argument of 4 KiB, which the cell accepts, is longer than that if its placeholders stand for long names. */
    private static void checkLengths(Collection<String> words) throws NotStartedException {
        for (String word : words) {
            long bytes = word.chars()
                    .map(letter -> letter < 0x80 ? 1 : letter < 0x800 ? 2 : 3)
                    .sum();
            if (bytes > ARGUMENT_BYTES_MAX) {
                throw new NotStartedException(
                        TaskReason.NOT_STARTED,
                        "an argument or variable has %,d bytes with its placeholders filled in, and the agent takes at most %,d%s"
                                .formatted(bytes, ARGUMENT_BYTES_MAX, IN_A_FILE));
            }
        }
    }

    private List<Path> devices(KeptTag tag) throws NotStartedException {
        List<Path> given = devices.getOrDefault(tag.machine(), Devices.none())
                .files(tag.launch().members());
        for (Path device : given) {
            if (!Files.exists(device)) {
                throw new NotStartedException(
                        TaskReason.NOT_STARTED,
                        "its device " + device
                                + " is not on this machine: start the agent with the devices that are there"
                                + " (--member)");
            }
        }
        return given;
    }

    private static Path enterable(Launch launch, Path work, Optional<TaskUser> user) throws NotStartedException {
        Path directory = directory(launch, work);
        if (user.isPresent() && !user.get().mayEnter(directory)) {
            throw new NotStartedException(
                    TaskReason.DIRECTORY_FORBIDDEN,
                    "user " + user.get().name() + " may not enter the directory " + directory);
        }
        return directory;
    }

    private Path bundles() {
        return dataDirectory.toAbsolutePath().resolve("bundles");
    }

    private List<String> inImage(String mark, RunSettings settings, boolean spare, Isolation.Start start)
            throws NotStartedException {
        TaskUser user = start.user()
                .orElseThrow(() -> new NotStartedException(
                        TaskReason.NOT_STARTED, "a task in an image needs a user that is not root: run.user"));
        ImageDriver.Contained task = new ImageDriver.Contained(
                settings.image().orElseThrow(),
                mark,
                start.command(),
                start.environment(),
                user.userId(),
                user.groupId(),
                start.ownNetwork(),
                start.resources(),
                settings.cpuQuota(),
                spare,
                start.work(),
                start.directory(),
                start.machine(),
                start.devices());
        return isolation.wrapImage(start, isolation.images().orElseThrow().command(task, bundles()));
    }

    private void writeHosts(PlacementId placement, Path work) throws NotStartedException {
        String lines = hosts.get(placement);
        if (lines != null) {
            try {
                HostsFile.write(work, lines);
            } catch (IOException failure) {
                throw new NotStartedException(
                        TaskReason.NOT_STARTED, "cannot write the file of its hosts: " + failure.getMessage());
            }
        }
    }

    private Optional<TaskGroup> group(String mark, RunSettings settings, boolean spare) {
        boolean ofImage = settings.image().isPresent()
                && isolation.images().filter(ImageDriver::makesGroups).isPresent();
        return isolation.groups().map(groups -> {
            TaskGroup own = groups.of(mark, settings.resources(), settings.cpuQuota(), spare);
            return ofImage ? groups.ofImage(mark, own) : own;
        });
    }

    private static long diskBytesMax(RunSettings settings) {
        Long diskMib = settings.resources().get("diskMib");
        return diskMib == null ? KeptLaunch.NO_BOUND : diskMib << 20;
    }

    private IsolationLevel level(RunSettings settings) throws NotStartedException {
        if (settings.image().isPresent()) {
            if (isolation.images().isEmpty()) {
                throw new NotStartedException(
                        TaskReason.NOT_STARTED,
                        "this machine runs no images: install podman, crun or runc, and run the agent as root");
            }
        }
        // The driver of an image isolates more than limits by itself.
        IsolationLevel asked = settings.image().isPresent() && settings.isolation() == IsolationLevel.FULL
                ? IsolationLevel.LIMITS
                : settings.isolation();
        if (asked.compareTo(isolation.level()) > 0) {
            throw new NotStartedException(
                    TaskReason.NOT_ISOLATED,
                    "the task asks for isolation " + settings.isolation().word() + ", and this machine has "
                            + isolation.level().word() + ": " + isolation.why());
        }
        return isolation.given(asked);
    }

    private Optional<TaskUser> user(RunSettings settings) throws NotStartedException {
        if (settings.user().isEmpty()) {
            return isolation.user();
        }
        String name = settings.user().get();
        if (!isolation.dropsBounds()) {
            if (name.equals(isolation.userName())) {
                return isolation.user();
            }
            throw new NotStartedException(
                    TaskReason.NOT_STARTED,
                    "only an agent that runs as root can run a task as " + name + ": leave run.user out and it runs as "
                            + isolation.userName() + ", or start the agent as root");
        }
        try {
            TaskUser user = TaskUser.find(name);
            if (user.userId() == 0) {
                throw new NotStartedException(
                        TaskReason.NOT_STARTED,
                        "no task runs as root: leave run.user out and it runs as " + isolation.userName()
                                + ", or name another user of the machine");
            }
            return Optional.of(user);
        } catch (IOException unknown) {
            throw new NotStartedException(TaskReason.USER_NOT_FOUND, String.valueOf(unknown.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NotStartedException(TaskReason.NOT_STARTED, "the agent is being closed");
        }
    }

    private static Path directory(Launch launch, Path work) throws NotStartedException {
        Path directory = launch.run().directory().map(work::resolve).orElse(work);
        if (!Files.isDirectory(directory)) {
            throw new NotStartedException(TaskReason.DIRECTORY_NOT_FOUND, "no such directory: " + directory);
        }
        return directory;
    }

    private Path workFolder(AttemptKey key, Optional<TaskUser> user) throws NotStartedException {
        try {
            return workFolders.create(key, user);
        } catch (IOException failure) {
            throw new NotStartedException(
                    TaskReason.NOT_STARTED, "cannot make a work directory: " + failure.getMessage());
        }
    }

    /** An image has its programs in itself. */
    private static List<String> command(Launch launch, TaskEnvironment environment, Path directory)
            throws NotStartedException {
        return launch.run().settings().image().isPresent()
                ? filled(launch.run().command(), environment)
                : command(launch.run().command(), environment, directory);
    }

    private static List<String> command(List<String> template, TaskEnvironment environment, Path directory)
            throws NotStartedException {
        List<String> command = filled(template, environment);
        String searchPath = environment.variables().getOrDefault("PATH", "");
        if (Programs.find(command.get(0), directory, searchPath).isEmpty()) {
            throw new NotStartedException(TaskReason.COMMAND_NOT_FOUND, "command not found: " + command.get(0));
        }
        return command;
    }

    private static List<String> filled(List<String> template, TaskEnvironment environment) throws NotStartedException {
        List<String> command;
        try {
            command = template.stream()
                    .map(argument -> ArgumentTemplate.parse(argument).fill(environment.values()))
                    .toList();
        } catch (IllegalArgumentException unknown) {
            throw new NotStartedException(TaskReason.NOT_STARTED, String.valueOf(unknown.getMessage()));
        }
        return command;
    }

    // what the keeper says

    @Override
    public void started(String mark) {
        Attempt attempt = byMark.get(mark);
        if (attempt != null) {
            Optional<HealthChecks.Question> question = question(mark, attempt);
            if (question.isPresent()) {
                attempt.listener().startedUnchecked(attempt.placement());
                beginCheck(attempt, question.get());
            } else {
                attempt.listener().started(attempt.placement());
            }
        }
    }

    private void beginCheck(Attempt attempt, HealthChecks.Question question) {
        HealthCheck check = attempt.settings().check().orElseThrow();
        checks.begin(attempt.placement(), check, question, new HealthChecks.Listener() {
            @Override
            public void passed() {
                attempt.listener().checked(attempt.placement());
            }

            @Override
            public void unhealthy(String why) {
                ProcessRunner.this.unhealthy(attempt, why);
            }
        });
    }

    /** How to check the attempt; empty if it has no check. */
    private Optional<HealthChecks.Question> question(String mark, Attempt attempt) {
        return attempt.settings().check().flatMap(check -> question(mark, attempt, check));
    }

    private Optional<HealthChecks.Question> question(String mark, Attempt attempt, HealthCheck check) {
        if (check.kind() == HealthCheck.Kind.COMMAND) {
            String name = check.what().get(0);
            HealthChecks.Question beside =
                    HealthChecks.succeeds(() -> beside(mark, attempt, check), name, check.timeoutMillis());
            return Optional.of(HealthChecks.whileBegun(() -> isInside(mark, attempt), beside));
        }
        int timeoutMillis = (int) Math.min(Integer.MAX_VALUE, check.timeoutMillis());
        return Optional.ofNullable(TaskEnvironment.ports(attempt.tag().launch()).get(check.port()))
                .map(port -> check.kind() == HealthCheck.Kind.HTTP
                        ? HealthChecks.answers(check.what().get(0), port.intValue(), timeoutMillis)
                        : HealthChecks.connects(port.intValue(), timeoutMillis))
                .map(asked -> HealthChecks.onceBegun(() -> isInside(mark, attempt), asked));
    }

    /**
     * Returns false while an isolated attempt is still on its way into its namespaces, for which podman may have to fetch its
     * image: nothing of it can be asked yet.
     */
    private boolean isInside(String mark, Attempt attempt) {
        return !isInNamespace(attempt.settings()) || inside(mark, attempt).isPresent();
    }

    /** A program that clears its environment has no mark any more. In an image it is not in the session of the driver either. */
    private OptionalLong inside(String mark, Attempt attempt) {
        OptionalLong marked = Journal.inside(attempt.folder());
        return marked.isPresent()
                ? marked
                : group(mark, attempt.settings(), false).map(TaskGroup::inside).orElse(OptionalLong.empty());
    }

    private static boolean isInNamespace(RunSettings settings) {
        return settings.isolation() == IsolationLevel.FULL || settings.image().isPresent();
    }

    /** The check's command, to be run as the attempt is and among its processes: they end together. */
    private ProcessBuilder beside(String mark, Attempt attempt, HealthCheck check) throws NotStartedException {
        RunSettings settings = attempt.settings();
        Launch launch = attempt.tag().launch();
        IsolationLevel level = level(settings);
        OptionalLong inside = level == IsolationLevel.FULL ? inside(mark, attempt) : OptionalLong.of(0);
        if (inside.isEmpty()) {
            throw new NotStartedException(TaskReason.NOT_STARTED, "none of the task's processes is left");
        }
        Path work = workFolders.folder(attempt.key());
        TaskEnvironment environment = TaskEnvironment.of(
                attempt.tag().machine(), launch, mark, work, Optional.ofNullable(System.getenv("LANG")));
        Path directory = directory(launch, work);
        Isolation.Start start = new Isolation.Start(
                besideCommand(check, environment, directory),
                environment.variables(),
                level,
                user(settings),
                group(mark, settings, false),
                settings.resources(),
                settings.ownNetwork(),
                work,
                directory,
                attempt.tag().machine(),
                List.of(),
                List.of());
        ProcessBuilder builder = new ProcessBuilder(isolation.wrapBeside(start, inside.getAsLong()))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(surroundings(mark));
        builder.environment().putAll(Isolation.handed(environment.variables()));
        return builder;
    }

    /** The agent runs it itself, while a task gets its words from the keeper. */
    private static List<String> besideCommand(HealthCheck check, TaskEnvironment environment, Path directory)
            throws NotStartedException {
        List<String> command;
        try {
            command = command(check.what(), environment, directory);
        } catch (InvalidPathException failure) {
            throw new NotStartedException(TaskReason.NOT_STARTED, why(failure));
        }
        if (!JvmEncoding.own().writesAsUtf8(command)) {
            throw new NotStartedException(
                    TaskReason.NOT_STARTED,
                    "the agent's locale is not UTF-8 and changes its letters outside ASCII: start the agent with"
                            + " LC_ALL=C.UTF-8");
        }
        return command;
    }

    /** The user reads why in the task's own output. */
    private void unhealthy(Attempt attempt, String why) {
        try {
            OutputWriter.addLine(attempt.folder(), "stderr", "cella: unhealthy: " + why);
        } catch (IOException failure) {
            logger.warn("task={} event=unhealthy: {}", attempt.key(), why, failure);
        }
        attempt.listener().unhealthy(attempt.placement());
    }

    @Override
    public void refused(String mark, String why) {
        Attempt attempt = byMark.get(mark);
        if (attempt != null) {
            forgetMark(mark, attempt);
            removeImage(mark, attempt);
            String hint = TOO_LONG.matcher(why).find() ? TOO_LONG_HINT : "";
            notStarted(attempt, new NotStartedException(TaskReason.NOT_STARTED, "cannot be started: " + why + hint));
        }
    }

    @Override
    public void ended(String mark, KeptEnd end) {
        Attempt attempt = byMark.get(mark);
        if (attempt != null) {
            outputs.ended(attempt.key());
            checks.end(attempt.placement());
            removeImage(mark, attempt);
            attempt.listener().ended(attempt.placement(), meaning(attempt, end));
        }
    }

    private static TaskEnd meaning(Attempt attempt, KeptEnd end) {
        return switch (end.cause()) {
            case UNKNOWN -> TaskEnd.unknown();
            case OUT_OF_MEMORY -> {
                logger.info("task={} event=out-of-memory peakBytes={}", attempt.key(), end.memoryPeakBytes());
                yield TaskEnd.limited(end.exitCode(), TaskReason.OUT_OF_MEMORY);
            }
            case OUT_OF_DISK -> TaskEnd.limited(end.exitCode(), TaskReason.OUT_OF_DISK);
            case EXITED -> new TaskEnd(OptionalInt.of(end.exitCode()), TaskReason.NONE, end.signalled());
        };
    }

    /**
     * What the running attempts take, as far as they are in control groups. To be called on one thread, not often: it reads
     * files.
     */
    public List<UsageMeter.Measured> measure() {
        List<UsageMeter.Subject> subjects = new ArrayList<>();
        byMark.forEach((mark, attempt) -> group(mark, attempt.settings(), false)
                .filter(group -> Files.isDirectory(group.folders().get(0)))
                .ifPresent(group -> subjects.add(new UsageMeter.Subject(
                        attempt.tag().launch().assignment(),
                        group,
                        workFolders.folder(attempt.key()),
                        attempt.folder(),
                        attempt.startedNanos()))));
        return meter.measure(subjects, System.nanoTime());
    }

    // what the reconciler wants

    @Override
    public void hosts(PlacementId placement, String lines) {
        thread.execute(() -> {
            hosts.put(placement, lines);
            String mark = marks.get(placement);
            Attempt attempt = mark == null ? null : byMark.get(mark);
            if (attempt != null) {
                rewriteHosts(attempt, lines);
            }
        });
    }

    private void rewriteHosts(Attempt attempt, String lines) {
        try {
            HostsFile.write(workFolders.folder(attempt.key()), lines);
        } catch (IOException ending) {
            logger.debug("task={} event=no-hosts-file", attempt.key(), ending);
        }
    }

    @Override
    public void upgrade(PlacementId placement) {
        thread.execute(() -> {
            String mark = marks.get(placement);
            Attempt attempt = mark == null ? null : byMark.get(mark);
            if (mark != null && attempt != null) {
                group(mark, attempt.settings(), false).ifPresent(TaskGroup::standUp);
            }
        });
    }

    @Override
    public void terminate(PlacementId placement) {
        thread.execute(() -> {
            String mark = marks.get(placement);
            Attempt attempt = mark == null ? null : byMark.get(mark);
            if (mark != null && attempt != null) {
                keeper.signal(mark, attempt.settings().stopSignal());
            }
        });
    }

    @Override
    public void kill(PlacementId placement) {
        thread.execute(() -> Optional.ofNullable(marks.get(placement)).ifPresent(mark -> keeper.signal(mark, "KILL")));
    }

    @Override
    public void renewed(long leaseMillisLeft) {
        keeper.renew(leaseMillisLeft);
    }

    /** A machine whose keeper is gone can start and end nothing until another one answers. */
    @Override
    public boolean isReachable() {
        return keeper.isThere();
    }

    @Override
    public void forget(PlacementId placement) {
        thread.execute(() -> {
            hosts.remove(placement);
            String mark = marks.get(placement);
            Attempt attempt = mark == null ? null : byMark.get(mark);
            if (mark != null && attempt != null) {
                forgetMark(mark, attempt);
            }
        });
    }

    private void forgetMark(String mark, Attempt attempt) {
        byMark.remove(mark);
        marks.remove(attempt.placement());
        keeper.forget(mark);
    }

    private void removeImage(String mark, Attempt attempt) {
        if (attempt.settings().image().isPresent()) {
            isolation.images().ifPresent(driver -> driver.remove(mark, bundles()));
        }
    }

    /** Leaves running attempts to the next agent. */
    public void leave() {
        thread.shutdown();
        checks.close();
        keeper.leave();
    }

    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(() -> byMark.forEach(
                (mark, attempt) -> keeper.signal(mark, attempt.settings().stopSignal())));
        long deadline = System.nanoTime() + CLOSE_GRACE.toNanos();
        while (keeper.hasRunning() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(ROUND_NANOS);
        }
        thread.shutdown();
        checks.close();
        keeper.close();
        workFolders.close();
    }
}
