package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keeper's process. It starts the tasks of one agent, collects their output, learns how they end, and tells the agent,
 * even one that returns after it was killed.
 *
 * <p>It makes one decision itself: attempts that must not run twice are killed if the cell has not renewed the machine's lease
 * in time, by this process's own clock ({@link BootClock}). An agent that lives but does not reach the cell does not help: the
 * cell gives its machine up, too. The agent decides everything else, and the cell decides the state of a task.
 *
 * <p>It leaves when no agent has come for a while and no task runs. {@link UnheardEnds} then has the ends that it had to tell.
 *
 * <p>It needs three threads for each attempt, and a machine may have none left. Then a start is refused, an agent is turned away,
 * and anything else is tried again: if this process ended, all tasks would end.
 *
 * <p>The main thread owns all state. Other threads (one for the door, one per agent and two per attempt) hand over their
 * events. So do those that walk through work folders and remove them, which takes minutes if a task has left a million files:
 * the main thread must be there to kill tasks in time.
 */
public final class KeeperMain {
    private static final long CHECK_MILLIS = 500;
    private static final long LOCK_ROUND_MILLIS = 10;
    private static final long THREAD_KEPT_SECONDS = 5;

    /** A large work folder keeps one of these, and the ends of other attempts do not wait for it. */
    private static final int REMOVALS_AT_ONCE_MAX = 4;

    private static final Duration KILL_PATIENCE = Duration.ofSeconds(30);

    /** A keeper without an agent and without a running task leaves after this time. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    /** An agent that sent HELLO before all messages of its predecessor were handled. */
    private record Greeting(SocketChannel channel, Runnable answer) {}

    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final Map<String, KeptAttempt> attempts = new LinkedHashMap<>();
    /** Attempts of an earlier keeper, which left before an agent came. */
    private final Map<String, KeptState> endedBefore = new LinkedHashMap<>();

    private final Path socket;
    private final Path attemptFolders;
    private final UnheardEnds unheard;
    private final long idleNanos;
    private final Executor walks;
    private final Executor removals;
    private final LongSupplier nanoTime;
    private final Supplier<ProcessTable> looks;
    private final Executor later =
            CompletableFuture.delayedExecutor(CHECK_MILLIS, TimeUnit.MILLISECONDS, Runnable::run);

    /** A thread for each stream of output. Short tasks use those of the tasks before them. */
    private final Executor pumps = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            THREAD_KEPT_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work -> thread("output", 128 * 1024, work));

    private final List<TaskGroup> groupsLeft = new ArrayList<>();
    private CompletableFuture<Void> leftAreRemoved = CompletableFuture.completedFuture(null);
    private @Nullable DataOutputStream agent;
    private volatile @Nullable SocketChannel agentChannel;
    private @Nullable Greeting nextGreeting;
    private boolean greeted;
    private volatile boolean tasksOutlive = true;
    private long leaseEndNanos;
    private long agentGoneNanos;
    private long nextCheckNanos;
    private boolean leaving;

    /** When it was told first to kill everything and to leave. */
    private OptionalLong stopSinceNanos = OptionalLong.empty();

    /** All tasks end now. An agent's thread sets it, because the starts that wait before that event would begin in vain. */
    private volatile boolean ending;

    /**
     * @param walks run walks through work folders, each of which begins a while after the last one of that folder
     * @param removals remove work folders
     * @param looks read the processes of the machine
     */
    KeeperMain(
            Path socket,
            Path attemptFolders,
            Duration idle,
            Executor walks,
            Executor removals,
            LongSupplier nanoTime,
            Supplier<ProcessTable> looks) {
        this.socket = socket;
        this.attemptFolders = attemptFolders;
        this.unheard = new UnheardEnds(socket.resolveSibling(socket.getFileName() + ".ends"));
        this.idleNanos = idle.toNanos();
        this.walks = CompletableFuture.delayedExecutor(CHECK_MILLIS, TimeUnit.MILLISECONDS, walks);
        this.removals = removals;
        this.nanoTime = nanoTime;
        this.looks = looks;
        this.leaseEndNanos = nanoTime.getAsLong();
        this.agentGoneNanos = leaseEndNanos;
        this.nextCheckNanos = leaseEndNanos;
    }

    /**
     * Takes the path of its socket, the folder of all attempts and, if it is not a minute, how long it stays when its agent
     * is gone.
     */
    public static void main(String[] arguments) throws Exception {
        Duration idle = arguments.length > 2 ? Duration.parse(arguments[2]) : IDLE;
        new KeeperMain(
                        Path.of(arguments[0]),
                        Path.of(arguments[1]),
                        idle,
                        walker(),
                        threads("removals", REMOVALS_AT_ONCE_MAX),
                        BootClock.system(),
                        ProcessTable::now)
                .run();
    }

    void run() throws IOException, InterruptedException {
        Path lockFile = socket.resolveSibling(socket.getFileName() + ".lock");
        OwnFiles.createFile(lockFile);
        try (FileChannel lock = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
            if (isFirst(lock)) {
                keep();
            }
        }
    }

    /**
     * Returns whether no other keeper has this data directory. If an agent is killed while its keeper starts, its successor
     * starts another keeper, and neither would know the other's tasks. The second keeper leaves as soon as the first one
     * answers, or takes over when the first one has killed its tasks and is gone.
     */
    private boolean isFirst(FileChannel lock) throws IOException, InterruptedException {
        while (lock.tryLock() == null) {
            if (answers()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOCK_ROUND_MILLIS);
        }
        return true;
    }

    private boolean answers() throws IOException {
        try (SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return other.connect(UnixDomainSocketAddress.of(socket));
        } catch (SocketException notYet) {
            return false;
        }
    }

    private void keep() throws IOException, InterruptedException {
        List<Path> left = killWhatWasLeftBehind(attemptFolders);
        if (!left.isEmpty()) {
            leftAreRemoved = CompletableFuture.runAsync(() -> LeftWorkFolders.remove(left), removals);
        }
        unheard.read().forEach(state -> endedBefore.put(state.mark(), state));
        later.execute(() -> {}); // its thread is here before the machine has none left
        Files.deleteIfExists(socket);
        try (ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            door.bind(UnixDomainSocketAddress.of(socket));
            daemon("door", () -> admit(door));
            while (!leaving) {
                Runnable event = events.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (event != null) {
                    handle(event);
                }
                handle(this::lookAround);
            }
        }
    }

    /**
     * An event that cannot read the processes, because too many files are open, or finds no thread for its work, comes again: if
     * it ended this process, all tasks would end. Each event may begin a second time, because until then it has told nobody
     * anything.
     */
    private void handle(Runnable event) {
        try {
            event.run();
        } catch (UncheckedIOException | OutOfMemoryError tooManyFilesOrThreads) {
            later.execute(() -> events.add(event));
        }
    }

    /** From now on no agent finds it; the next keeper may bind the same path at once. */
    private void hide() {
        socket.toFile().delete();
    }

    private void leave() {
        hide();
        leaving = true;
    }

    /**
     * The attempts of a dead keeper must not go on, because nobody would learn of their ends. Returns the work folders to
     * remove, of those attempts and of all before them.
     */
    private static List<Path> killWhatWasLeftBehind(Path attemptFolders) throws IOException {
        if (!Files.isDirectory(attemptFolders)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(attemptFolders, 6)) {
            List<Path> folders = paths.filter(path -> path.endsWith("journal"))
                    .map(Path::getParent)
                    .toList();
            kill(folders.stream().filter(folder -> !Journal.isEnded(folder)).toList());
            return LeftWorkFolders.setAside(folders.stream()
                    .flatMap(folder -> Journal.workFolder(folder).stream())
                    .toList());
        }
    }

    private static void kill(List<Path> folders) {
        List<TaskProcesses> left = folders.stream()
                .flatMap(folder -> Journal.leftBehind(folder).stream())
                .toList();
        if (!left.isEmpty()) {
            TaskProcesses.kill(left, KILL_PATIENCE);
        }
        for (Path folder : folders) {
            TaskGroup.removeLeft(Journal.groupFolders(folder));
            noteEnd(folder);
        }
    }

    /** A full disk must not keep the agent from starting: the work folders that are removed next may make room. */
    private static void noteEnd(Path folder) {
        try {
            Journal.endedUnknown(folder);
        } catch (IOException diskIsFull) {
            // the next keeper looks for its processes in vain
        }
    }

    private static void daemon(String name, Runnable work) {
        thread(name, 256 * 1024, work).start();
    }

    private static Thread thread(String name, int stackBytes, Runnable work) {
        Thread thread = new Thread(null, work, name, stackBytes);
        thread.setDaemon(true);
        return thread;
    }

    /** One thread that stays: a walk that found none would be the last one of its attempt. */
    private static Executor walker() {
        ThreadPoolExecutor walker = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> thread("walks", 256 * 1024, work));
        walker.prestartCoreThread();
        return walker;
    }

    /** Threads that end when there is nothing to do. */
    private static Executor threads(String name, int max) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                max,
                max,
                THREAD_KEPT_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> thread(name, 256 * 1024, work));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private void admit(ServerSocketChannel door) {
        while (door.isOpen()) {
            try {
                admit(door.accept());
            } catch (IOException closedOrTooManyFilesAreOpen) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS));
            }
        }
    }

    private void admit(SocketChannel channel) throws IOException {
        try {
            daemon("agent", () -> listen(channel));
        } catch (OutOfMemoryError noThreadIsLeft) {
            channel.close();
        }
    }

    private void listen(SocketChannel channel) {
        try (channel) {
            DataInputStream in = SocketStreams.input(channel);
            DataOutputStream out = SocketStreams.output(channel);
            while (true) {
                hear(in.readByte(), in, out, channel);
            }
        } catch (IOException agentIsGone) {
            // closed
        } finally {
            if (channel == agentChannel && !tasksOutlive) {
                ending = true;
            }
            events.add(() -> gone(channel));
        }
    }

    private void hear(byte word, DataInputStream in, DataOutputStream out, SocketChannel channel) throws IOException {
        switch (word) {
            case Wire.HELLO -> {
                in.readInt();
                boolean outlive = in.readBoolean();
                events.add(() -> greet(out, channel, outlive));
            }
            case Wire.START -> {
                KeptLaunch launch = KeptLaunch.read(in);
                events.add(() -> start(launch));
            }
            case Wire.SIGNAL -> {
                String mark = in.readUTF();
                String name = in.readUTF();
                events.add(new Signal(mark, name));
            }
            case Wire.FORGET -> {
                String mark = in.readUTF();
                events.add(() -> forget(mark));
            }
            case Wire.RENEW -> {
                long endNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(in.readLong());
                events.add(() -> renewed(endNanos));
            }
            case Wire.STOP -> {
                ending = true;
                events.add(this::stop);
            }
            default -> throw new IOException("an agent said " + word);
        }
    }

    /** The answer to an older renewal may come after that to a newer one. */
    private void renewed(long endNanos) {
        if (endNanos - leaseEndNanos > 0) {
            leaseEndNanos = endNanos;
        }
    }

    /**
     * Answers a new agent when all messages of its predecessor are handled. The predecessor is dead, because both use one
     * lock. Its last messages may still be on their way, and a start among them would otherwise happen twice.
     */
    private void greet(DataOutputStream out, SocketChannel channel, boolean outlive) {
        if (agentChannel != null) {
            nextGreeting = new Greeting(channel, () -> greet(out, channel, outlive));
            return;
        }
        agent = out;
        agentChannel = channel;
        greeted = true;
        tasksOutlive = outlive;
        tell(answer -> {
            answer.writeByte(Wire.KEPT);
            answer.writeInt(Wire.VERSION);
            List<KeptState> kept = states();
            answer.writeInt(kept.size());
            for (KeptState state : kept) {
                state.write(answer);
            }
        });
    }

    private List<KeptState> states() {
        List<KeptState> states = new ArrayList<>(endedBefore.values());
        attempts.values().forEach(attempt -> states.add(attempt.state()));
        return states;
    }

    private void forget(String mark) {
        attempts.remove(mark);
        if (endedBefore.remove(mark) != null && endedBefore.isEmpty()) {
            unheard.delete();
        }
    }

    private interface Message {
        void writeTo(DataOutputStream out) throws IOException;
    }

    /** A message that cannot be sent reaches the next agent in the list of kept attempts. */
    private void tell(Message message) {
        if (agent == null) {
            return;
        }
        try {
            message.writeTo(agent);
            agent.flush();
        } catch (IOException agentIsGone) {
            agent = null;
        }
    }

    private void gone(SocketChannel channel) {
        if (nextGreeting != null && nextGreeting.channel() == channel) {
            nextGreeting = null;
        }
        if (channel != agentChannel) {
            return;
        }
        agent = null;
        agentChannel = null;
        agentGoneNanos = nanoTime.getAsLong();
        Greeting greeting = nextGreeting;
        nextGreeting = null;
        if (greeting != null) {
            ending = false;
            greeting.answer().run();
        } else if (!tasksOutlive) {
            handle(this::stop); // if it fails, it comes again by itself: the agent is gone only once
        }
    }

    private void start(KeptLaunch launch) {
        try {
            checkMayStart(launch);
            KeptAttempt attempt = KeptAttempt.start(launch, pumps);
            attempts.put(launch.mark(), attempt);
            tell(out -> {
                out.writeByte(Wire.STARTED);
                out.writeUTF(launch.mark());
            });
            var unused = attempt.exit().whenComplete((exited, failure) -> events.add(new Exit(attempt)));
            measure(attempt);
        } catch (IOException refusal) {
            tell(out -> {
                out.writeByte(Wire.REFUSED);
                out.writeUTF(launch.mark());
                out.writeUTF(String.valueOf(refusal.getMessage()));
            });
        }
    }

    private void checkMayStart(KeptLaunch launch) throws IOException {
        if (ending) {
            throw new IOException("its agent is gone, and all of its tasks end");
        }
        if (launch.endsWithAgent() && nanoTime.getAsLong() - leaseEndNanos > 0) {
            throw new IOException("the lease of this machine is over, so the task may run on another one");
        }
    }

    private <T> void then(CompletableFuture<T> event, Consumer<T> work) {
        var unused = event.whenComplete((done, failure) -> events.add(() -> work.accept(done)));
    }

    private void measure(KeptAttempt attempt) {
        if (attempt.mayOutgrowItsDisk()) {
            then(attempt.measure(walks), bytes -> measured(attempt, bytes));
        }
    }

    private void measured(KeptAttempt attempt, long bytes) {
        attempt.checkDisk(bytes, looks);
        measure(attempt);
    }

    /** First processes have exited. Those that wait right behind it share its look at the machine's processes. */
    private final class Exit implements Runnable {
        private final List<KeptAttempt> exited = new ArrayList<>();

        Exit(KeptAttempt attempt) {
            exited.add(attempt);
        }

        @Override
        public void run() {
            while (events.peek() instanceof Exit next) {
                exited.addAll(next.exited);
                events.remove();
            }
            exited.removeIf(this::isTooEarly);
            KeptAttempt.killLeftBehind(exited, looks);
            exited.forEach(attempt -> then(attempt.finish(), finished -> finished(attempt)));
        }

        private boolean isTooEarly(KeptAttempt attempt) {
            boolean tooEarly = !attempt.hasExited();
            if (tooEarly) {
                later.execute(() -> events.add(new Exit(attempt)));
            }
            return tooEarly;
        }
    }

    private void finished(KeptAttempt attempt) {
        then(attempt.clear(removals), wasOverDisk -> ended(attempt, wasOverDisk));
    }

    private void ended(KeptAttempt attempt, boolean wasOverDisk) {
        KeptEnd end = attempt.ended(wasOverDisk);
        attempt.groupLeft().ifPresent(groupsLeft::add);
        tell(out -> {
            out.writeByte(Wire.ENDED);
            out.writeUTF(attempt.mark());
            end.write(out);
        });
    }

    /** Tells attempts to end. Those that wait right behind it with the same signal share its look at the machine's processes. */
    private final class Signal implements Runnable {
        private final List<String> marks = new ArrayList<>();
        private final String name;

        Signal(String mark, String name) {
            marks.add(mark);
            this.name = name;
        }

        @Override
        public void run() {
            while (events.peek() instanceof Signal next && next.name.equals(name)) {
                marks.addAll(next.marks);
                events.remove();
            }
            KeptAttempt.signal(
                    marks.stream()
                            .flatMap(mark -> Stream.ofNullable(attempts.get(mark)))
                            .toList(),
                    name,
                    looks);
        }
    }

    private void lookAround() {
        if (nanoTime.getAsLong() - nextCheckNanos < 0) {
            return;
        }
        awaitNextCheck();
        attempts.values().forEach(attempt -> attempt.checkMemory(looks));
        KeptAttempt.signalAgain(attempts.values(), looks);
        long now = nanoTime.getAsLong();
        if (now - leaseEndNanos > 0) {
            KeptAttempt.signal(
                    attempts.values().stream()
                            .filter(KeptAttempt::endsWithAgent)
                            .toList(),
                    "KILL",
                    looks);
        }
        groupsLeft.removeIf(TaskGroup::tryRemove);
        long patienceNanos = greeted ? idleNanos : IDLE.toNanos();
        if (agentChannel == null
                && now - agentGoneNanos > patienceNanos
                && leftAreRemoved.isDone()
                && attempts.values().stream().allMatch(KeptAttempt::isOver)) {
            leaveTheEnds();
        }
        awaitNextCheck();
    }

    /** Counted from the end of a check, so that events are handled also if one takes long, and again where a check fails. */
    private void awaitNextCheck() {
        nextCheckNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS);
    }

    /** Without its data directory no agent can find this keeper or the file, so nothing is left to be told. */
    private void leaveTheEnds() {
        List<KeptState> states = states();
        if (!states.isEmpty() && Files.exists(socket) && Files.exists(attemptFolders)) {
            try {
                unheard.write(states);
            } catch (IOException diskIsFull) {
                return; // stays, and tries again
            }
        }
        leave();
    }

    /**
     * Kills everything, and leaves. If it cannot read the processes for long, it leaves them to the next keeper, which kills them
     * before it starts anything.
     */
    private void stop() {
        hide();
        unheard.delete();
        long now = nanoTime.getAsLong();
        long since = stopSinceNanos.orElse(now);
        stopSinceNanos = OptionalLong.of(since);
        if (now - since > KILL_PATIENCE.toNanos()) {
            leave();
            return;
        }
        List<KeptAttempt> left =
                attempts.values().stream().filter(attempt -> !attempt.isOver()).toList();
        if (!left.isEmpty()) {
            KeptAttempt.signal(left, "KILL", looks);
            TaskProcesses.kill(left.stream().map(KeptAttempt::processes).toList(), looks, Duration.ZERO, KILL_PATIENCE);
        }
        CompletableFuture.allOf(
                        left.stream().map(attempt -> attempt.clear(removals)).toArray(CompletableFuture<?>[]::new))
                .join();
        left.forEach(KeptAttempt::abandon);
        groupsLeft.forEach(TaskGroup::tryRemove);
        leave();
    }
}
