package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's side of its keeper: finds the keeper that an earlier agent left behind, or starts one, and talks to it.
 *
 * <h2>Why a process between the agent and its tasks</h2> A task's exit code goes to the process that started it, and its
 * output to the holder of the other end of its pipes. If that is the agent, both are lost when the agent is killed. The keeper
 * does nothing else, so little in it can fail or needs an upgrade, and it has no connection to the cell.
 *
 * <p>If the keeper itself dies, its tasks are lost with their exit codes. Their first processes die with it, by the signal for
 * a parent's death. The next keeper kills the others before it starts anything, and the agent reports the tasks lost. Until one
 * answers, {@link #isThere} is false, and the lease of the machine is not renewed: it can start and end nothing.
 *
 * <p>Any thread may call it; a lock guards the pipe. One thread reads the keeper's messages.
 */
public final class Keeper implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(Keeper.class);

    /** A socket's path has room for 108 bytes. */
    private static final int SOCKET_PATH_BYTES_MAX = 100;

    /** Tasks inherit this umask. The agent's own may be stricter, so that other users cannot read its files. */
    private static final String USUAL_UMASK = "umask 022; exec \"$@\"";

    /**
     * Up to this Java a process is started without the program {@code jspawnhelper} before it, which would cost each task as
     * much as one program more. Later ones may not know the way.
     */
    private static final int VFORK_FEATURE_MAX = 25;

    /** With fewer of them the JDK makes a thread for each event of a process, which a machine may not have. */
    private static final String FEW_THREADS = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2";

    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final long ROUND_NANOS = Duration.ofMillis(10).toNanos();
    private static final Duration LEAVE_PATIENCE = Duration.ofSeconds(3);

    /** Between two tries to start another keeper. */
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    /** The first lines of what a keeper printed say why it ended. */
    private static final int LINES_SAID_MAX = 3;

    /** Receives the events of attempts, on the reading thread. */
    public interface Listener {
        void started(String mark);

        void refused(String mark, String why);

        /** None of its processes is left. */
        void ended(String mark, KeptEnd end);
    }

    private final List<String> command;
    private final Path socket;
    private final boolean tasksOutlive;
    private final Duration pauseMin;
    private final Set<String> running = new LinkedHashSet<>();
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private final List<KeptState> kept;
    private Connection connection;
    private long leaseEndNanos = System.nanoTime();
    private final CountDownLatch closing = new CountDownLatch(1);
    private boolean closed;
    private volatile boolean isThere = true;
    private volatile boolean readerIsDone;

    /** A keeper that has answered, and what it kept then. */
    private record Connection(SocketChannel channel, DataInputStream in, DataOutputStream out, List<KeptState> kept) {}

    /** A keeper speaks another version of the protocol, and was told to leave. */
    private static final class OtherVersionException extends IOException {
        private static final long serialVersionUID = 1;

        OtherVersionException() {
            super("the keeper speaks another version of the protocol than this agent");
        }
    }

    private Keeper(List<String> command, Path socket, boolean tasksOutlive, Duration pauseMin) throws IOException {
        this.command = command;
        this.socket = socket;
        this.tasksOutlive = tasksOutlive;
        this.pauseMin = pauseMin;
        this.connection = find();
        this.kept = connection.kept();
        addRunning(kept);
    }

    /** The keeper that an earlier agent left, or a new one. One with another protocol version ends its tasks and is replaced. */
    private Connection find() throws IOException {
        SocketChannel left = connect(Duration.ZERO, () -> false);
        if (!left.isConnected()) {
            left.close();
            return startAnother();
        }
        try {
            return greet(left);
        } catch (OtherVersionException old) {
            awaitLeft();
        } catch (IOException itWasLeaving) {
            logger.info("keeper event=left: another one is started");
        }
        return startAnother();
    }

    private Connection startAnother() throws IOException {
        return greet(startProcess());
    }

    private void addRunning(List<KeptState> states) {
        for (KeptState state : states) {
            if (state.end().isEmpty()) {
                running.add(state.mark());
            }
        }
    }

    /**
     * Finds the keeper of that data directory, or starts one.
     *
     * @param tasksOutlive if false, it kills everything when the agent is gone
     */
    public static Keeper open(Path setsid, Path dataDirectory, Path attemptFolders, boolean tasksOutlive)
            throws IOException {
        return open(setsid, dataDirectory, attemptFolders, tasksOutlive, PAUSE_MIN);
    }

    static Keeper open(Path setsid, Path dataDirectory, Path attemptFolders, boolean tasksOutlive, Duration pauseMin)
            throws IOException {
        Path socket = socket(dataDirectory);
        return new Keeper(command(setsid, socket, attemptFolders), socket, tasksOutlive, pauseMin);
    }

    static Path socket(Path dataDirectory) throws IOException {
        Path own = dataDirectory.toAbsolutePath().normalize().resolve("keeper.sock");
        if (own.toString().getBytes(StandardCharsets.UTF_8).length <= SOCKET_PATH_BYTES_MAX) {
            return own;
        }
        Path folder = Path.of(
                "/var/tmp", "cella-keeper-" + Integer.toHexString(own.toString().hashCode()));
        OwnFiles.createDirectoryAmongOthers(folder);
        return folder.resolve("keeper.sock");
    }

    private static List<String> command(Path setsid, Path socket, Path attemptFolders) {
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                USUAL_UMASK,
                "cella-keeper",
                setsid.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms4m",
                "-Xmx512m",
                "-Xss256k",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                FEW_THREADS,
                "-Xshare:auto"));
        if (Runtime.version().feature() <= VFORK_FEATURE_MAX) {
            command.add("-Djdk.lang.Process.launchMechanism=VFORK");
        }
        command.addAll(List.of(
                "-cp",
                classPath(),
                KeeperMain.class.getName(),
                socket.toString(),
                attemptFolders.toAbsolutePath().toString()));
        return command;
    }

    private static String classPath() {
        try {
            return new File(KeeperMain.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .getPath();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("the keeper's classes are at no path", impossible);
        }
    }

    /**
     * The keeper leads its own session: an interrupt at the terminal is for the agent, which still needs its keeper.
     */
    private SocketChannel startProcess() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(printed())
                .directory(new File("/"));
        builder.environment().remove(TaskProcesses.MARK_VARIABLE);
        // A path with other letters has other bytes in UTF-8 than the agent gave it, and its keeper would not find it.
        if (!JvmEncoding.own().isUtf8() && JvmEncoding.isAscii(command)) {
            builder.environment().put("LC_ALL", "C.UTF-8");
        }
        Process process = start(builder);
        SocketChannel connected = connect(START_PATIENCE, process::isAlive);
        if (!connected.isConnected()) {
            String exit = process.isAlive() ? "" : ", exit code " + process.exitValue();
            process.destroyForcibly();
            connected.close();
            throw new IOException(
                    "the keeper did not start" + exit + ": " + said() + " (" + String.join(" ", command) + ")");
        }
        return connected;
    }

    private static Process start(ProcessBuilder builder) throws IOException {
        try {
            return builder.start();
        } catch (OutOfMemoryError noThreadIsLeft) {
            throw new IOException("this machine has no thread left for the keeper", noThreadIsLeft);
        }
    }

    private ProcessBuilder.Redirect printed() {
        try {
            OwnFiles.createFile(printedFile());
            return ProcessBuilder.Redirect.to(printedFile().toFile());
        } catch (IOException diskIsFull) {
            return ProcessBuilder.Redirect.DISCARD;
        }
    }

    private Path printedFile() {
        return socket.resolveSibling("keeper.err");
    }

    private String said() {
        try (Stream<String> lines = Files.lines(printedFile())) {
            return lines.filter(line -> !line.startsWith("\t"))
                    .limit(LINES_SAID_MAX)
                    .collect(Collectors.joining("; "));
        } catch (IOException | UncheckedIOException unreadable) {
            return "";
        }
    }

    /** A channel that is not connected if nobody answered in time, or nobody answers who could. */
    private SocketChannel connect(Duration atMost, BooleanSupplier mayAnswer) throws IOException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            boolean isLast = !mayAnswer.getAsBoolean() || System.nanoTime() - deadline >= 0;
            SocketChannel attempt = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                attempt.connect(UnixDomainSocketAddress.of(socket));
                return attempt;
            } catch (IOException nobodyThere) {
                if (isLast) {
                    return attempt;
                }
                attempt.close();
                LockSupport.parkNanos(ROUND_NANOS);
            }
        }
    }

    /** A keeper that leaves removes its socket first. */
    private void awaitLeft() {
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (Files.exists(socket) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(ROUND_NANOS);
        }
    }

    /** Reads the keeper's attempts. A keeper with another protocol version is told to end its tasks and to leave. */
    private Connection greet(SocketChannel channel) throws IOException {
        DataInputStream in = SocketStreams.input(channel);
        DataOutputStream out = SocketStreams.output(channel);
        try {
            out.writeByte(Wire.HELLO);
            out.writeInt(Wire.VERSION);
            out.writeBoolean(tasksOutlive);
            out.flush();
            if (in.readByte() != Wire.KEPT || in.readInt() != Wire.VERSION) {
                out.writeByte(Wire.STOP);
                out.flush();
                throw new OtherVersionException();
            }
            List<KeptState> states = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                states.add(KeptState.read(in));
            }
            return new Connection(channel, in, out, List.copyOf(states));
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    /** The attempts that an earlier agent left behind. */
    public List<KeptState> kept() {
        return kept;
    }

    /** From now on the listener receives events. */
    public void listen(Listener listener) {
        Thread reader = new Thread(() -> read(listener), "keeper-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Without this thread the agent would hear of no start and no end, so it must not end silently. */
    private void read(Listener listener) {
        try {
            readUntilClosed(listener);
        } catch (RuntimeException | Error failure) {
            logger.error("keeper event=not-heard: the agent cannot go on", failure);
            failed.complete("the agent cannot hear its keeper: " + failure);
        }
        readerIsDone = true;
    }

    private void readUntilClosed(Listener listener) {
        while (true) {
            try {
                hear(connection().in(), listener);
            } catch (IOException keeperIsGone) {
                if (isClosed()) {
                    return;
                }
                replace(listener);
            }
        }
    }

    /**
     * Starts another keeper, which first kills what the dead one left, and tries again until one answers. The lock is free
     * meanwhile, because the agent must go on to renew the leases of its other machines.
     */
    private void replace(Listener listener) {
        isThere = false;
        lose();
        Duration pause = pauseMin;
        while (!isClosed()) {
            try {
                Map<String, KeptEnd> ends = take(startAnother());
                isThere = true;
                ends.forEach(listener::ended);
                return;
            } catch (OtherVersionException upgraded) {
                throw new UncheckedIOException(upgraded.getMessage() + ": start the agent again", upgraded);
            } catch (IOException failure) {
                logger.error("keeper event=not-started pauseMillis={}", pause.toMillis(), failure);
                rest(pause);
                pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
            }
        }
    }

    private synchronized void lose() {
        closeChannel();
        logger.error("keeper event=died tasks={}: they are lost, another keeper is started", running.size());
    }

    /** Returns the ends of the attempts that this keeper does not run, also of those that were to start meanwhile. */
    private synchronized Map<String, KeptEnd> take(Connection next) {
        connection = next;
        if (closed) {
            closeChannel();
            return Map.of();
        }
        sayLease();
        Map<String, KeptEnd> ends = new LinkedHashMap<>();
        running.forEach(mark -> ends.put(mark, KeptEnd.unknown()));
        for (KeptState state : next.kept()) {
            if (state.end().isEmpty()) {
                ends.remove(state.mark());
            } else {
                ends.replace(state.mark(), state.end().get());
            }
        }
        running.removeAll(ends.keySet());
        return ends;
    }

    /** Ends early if it is being closed. */
    private void rest(Duration pause) {
        try {
            boolean unused = closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while no keeper was there", interrupted);
        }
    }

    /** Returns whether a keeper answers. */
    public boolean isThere() {
        return isThere;
    }

    /** Completes with the reason when the reader has failed: then no more events come. */
    public CompletableFuture<String> failed() {
        return failed.copy();
    }

    private void hear(DataInputStream in, Listener listener) throws IOException {
        byte word = in.readByte();
        String mark = in.readUTF();
        switch (word) {
            case Wire.STARTED -> listener.started(mark);
            case Wire.REFUSED -> {
                String why = in.readUTF();
                stopped(mark);
                listener.refused(mark, why);
            }
            case Wire.ENDED -> {
                KeptEnd end = KeptEnd.read(in);
                stopped(mark);
                listener.ended(mark, end);
            }
            default -> throw new IOException("a keeper said " + word);
        }
    }

    private synchronized void stopped(String mark) {
        running.remove(mark);
    }

    /** Returns whether any attempt has a process. */
    public synchronized boolean hasRunning() {
        return !running.isEmpty();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized Connection connection() {
        return connection;
    }

    /** Starts an attempt; the listener receives its events. */
    public synchronized void start(KeptLaunch launch) throws IOException {
        running.add(launch.mark());
        DataOutputStream out = connection.out();
        out.writeByte(Wire.START);
        launch.write(out);
        out.flush();
    }

    /** Sends a signal, by its name without SIG, to all processes of the attempt. */
    public synchronized void signal(String mark, String name) {
        say(out -> {
            out.writeByte(Wire.SIGNAL);
            out.writeUTF(mark);
            out.writeUTF(name);
        });
    }

    /** The cell knows how the attempt ended. */
    public synchronized void forget(String mark) {
        say(out -> {
            out.writeByte(Wire.FORGET);
            out.writeUTF(mark);
        });
    }

    /** The cell has renewed the machine's lease, which lasts that long from now. */
    public synchronized void renew(long leaseMillisLeft) {
        leaseEndNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillisLeft);
        sayLease();
    }

    private void sayLease() {
        say(out -> {
            out.writeByte(Wire.RENEW);
            out.writeLong(TimeUnit.NANOSECONDS.toMillis(leaseEndNanos - System.nanoTime()));
        });
    }

    private interface Words {
        void write(DataOutputStream out) throws IOException;
    }

    /** A message that a dead keeper missed does not matter to the next one, which has no running attempts. */
    private void say(Words words) {
        try {
            words.write(connection.out());
            connection.out().flush();
        } catch (IOException keeperIsGone) {
            logger.debug("keeper event=gone", keeperIsGone);
        }
    }

    /** Leaves the keeper to the next agent. */
    public synchronized void leave() {
        closed = true;
        closing.countDown();
        closeChannel();
    }

    /** Lets the keeper kill everything and leave. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            closing.countDown();
            say(out -> out.writeByte(Wire.STOP));
        }
        awaitEnd();
        closeChannel();
    }

    /** The keeper closes its end of the socket when it has killed everything. */
    private void awaitEnd() {
        long deadline = System.nanoTime() + LEAVE_PATIENCE.toNanos();
        while (!readerIsDone && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(ROUND_NANOS);
        }
    }

    private void closeChannel() {
        try {
            connection.channel().close();
        } catch (IOException alreadyClosed) {
            logger.debug("keeper event=not-closed", alreadyClosed);
        }
    }
}
