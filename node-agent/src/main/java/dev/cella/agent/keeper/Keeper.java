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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
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
 * a parent's death. The next keeper kills the others before it starts anything, and the agent reports the tasks lost.
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
    private final Set<String> running = new LinkedHashSet<>();
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private List<KeptState> kept = List.of();
    private SocketChannel channel;
    private DataInputStream in;
    private DataOutputStream out;
    private boolean closed;
    private volatile boolean readerIsDone;

    private Keeper(List<String> command, Path socket, boolean tasksOutlive) throws IOException {
        this.command = command;
        this.socket = socket;
        this.tasksOutlive = tasksOutlive;
        this.channel = connect(Duration.ZERO);
        if (!channel.isConnected()) {
            this.channel = startProcess();
        }
        this.in = input();
        this.out = output();
        try {
            greet();
        } catch (IOException itWasLeaving) {
            logger.info("keeper event=left: another one is started");
            restart();
        }
    }

    private void restart() throws IOException {
        channel.close();
        channel = startProcess();
        in = input();
        out = output();
        greet();
    }

    /**
     * Finds the keeper of that data directory, or starts one.
     *
     * @param tasksOutlive if false, it kills everything when the agent is gone
     */
    public static Keeper open(Path setsid, Path dataDirectory, Path attemptFolders, boolean tasksOutlive)
            throws IOException {
        Path socket = socket(dataDirectory);
        return new Keeper(command(setsid, socket, attemptFolders), socket, tasksOutlive);
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
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .directory(new File("/"));
        builder.environment().remove(TaskProcesses.MARK_VARIABLE);
        // A path with other letters has other bytes in UTF-8 than the agent gave it, and its keeper would not find it.
        if (!JvmEncoding.own().isUtf8() && JvmEncoding.isAscii(command)) {
            builder.environment().put("LC_ALL", "C.UTF-8");
        }
        Process process = builder.start();
        SocketChannel connected = connect(START_PATIENCE);
        if (!connected.isConnected()) {
            process.destroyForcibly();
            throw new IOException("the keeper did not start: " + String.join(" ", command));
        }
        return connected;
    }

    /** A channel that is not connected if nobody answered in time. */
    private SocketChannel connect(Duration atMost) throws IOException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            SocketChannel attempt = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                attempt.connect(UnixDomainSocketAddress.of(socket));
                return attempt;
            } catch (IOException nobodyThere) {
                if (System.nanoTime() - deadline >= 0) {
                    return attempt;
                }
                attempt.close();
                LockSupport.parkNanos(ROUND_NANOS);
            }
        }
    }

    private DataInputStream input() {
        return SocketStreams.input(channel);
    }

    private DataOutputStream output() {
        return SocketStreams.output(channel);
    }

    /** Reads the keeper's attempts. A keeper with another protocol version ends its tasks and is replaced. */
    private void greet() throws IOException {
        out.writeByte(Wire.HELLO);
        out.writeInt(Wire.VERSION);
        out.writeBoolean(tasksOutlive);
        out.flush();
        if (in.readByte() != Wire.KEPT || in.readInt() != Wire.VERSION) {
            out.writeByte(Wire.STOP);
            out.flush();
            restart();
            return;
        }
        List<KeptState> states = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            states.add(KeptState.read(in));
        }
        kept = List.copyOf(states);
        for (KeptState state : kept) {
            if (state.end().isEmpty()) {
                running.add(state.mark());
            }
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
        } catch (RuntimeException failure) {
            logger.error("keeper event=not-heard: the agent cannot go on", failure);
            failed.complete("the agent cannot hear its keeper: " + failure);
        }
        readerIsDone = true;
    }

    private void readUntilClosed(Listener listener) {
        while (true) {
            try {
                hear(listener);
            } catch (IOException keeperIsGone) {
                if (isClosed()) {
                    return;
                }
                lost().forEach(mark -> listener.ended(mark, KeptEnd.unknown()));
            }
        }
    }

    /** Completes with the reason when the reader has failed: then no more events come. */
    public CompletableFuture<String> failed() {
        return failed.copy();
    }

    private void hear(Listener listener) throws IOException {
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

    /** Starts another keeper, which first kills what the dead one left. Returns the lost attempts. */
    private synchronized List<String> lost() {
        List<String> lost = List.copyOf(running);
        running.clear();
        logger.error("keeper event=died tasks={}: they are lost, another keeper is started", lost.size());
        try {
            restart();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot start another keeper", failure);
        }
        return lost;
    }

    /** Starts an attempt; the listener receives its events. */
    public synchronized void start(KeptLaunch launch) throws IOException {
        running.add(launch.mark());
        out.writeByte(Wire.START);
        launch.write(out);
        out.flush();
    }

    /** Sends a signal, by its name without SIG, to all processes of the attempt. */
    public synchronized void signal(String mark, String name) {
        say(() -> {
            out.writeByte(Wire.SIGNAL);
            out.writeUTF(mark);
            out.writeUTF(name);
        });
    }

    /** The cell knows how the attempt ended. */
    public synchronized void forget(String mark) {
        say(() -> {
            out.writeByte(Wire.FORGET);
            out.writeUTF(mark);
        });
    }

    /** The cell has renewed the machine's lease, which lasts that long from now. */
    public synchronized void renew(long leaseMillisLeft) {
        say(() -> {
            out.writeByte(Wire.RENEW);
            out.writeLong(leaseMillisLeft);
        });
    }

    private interface Words {
        void write() throws IOException;
    }

    /** A message that a dead keeper missed does not matter to the next one, which has no running attempts. */
    private void say(Words words) {
        try {
            words.write();
            out.flush();
        } catch (IOException keeperIsGone) {
            logger.debug("keeper event=gone", keeperIsGone);
        }
    }

    /** Leaves the keeper to the next agent. */
    public synchronized void leave() {
        closed = true;
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
            say(() -> out.writeByte(Wire.STOP));
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
            channel.close();
        } catch (IOException alreadyClosed) {
            logger.debug("keeper event=not-closed", alreadyClosed);
        }
    }
}
