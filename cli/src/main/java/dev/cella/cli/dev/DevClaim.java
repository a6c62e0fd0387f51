package dev.cella.cli.dev;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.cli.cell.RunningDevs;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The right to be the only {@code cella dev} on a port and on a data directory, held for as long as the process lives.
 *
 * <p>A dev that was told to stop needs a few seconds, and its successor is often started at once. A dev withdraws its note
 * first of all when it stops, so a holder without a note is waited for, and a holder with a note is refused.
 */
final class DevClaim implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    static final String LOCK = "dev.lock";
    private static final int PID_BYTES_MAX = 32;

    /** A dev that is being stopped has withdrawn its note by then. */
    private static final Duration ANNOUNCED_MAX = Duration.ofSeconds(4);

    /** A dev that is being stopped has ended by then, and its servers with it. */
    private static final Duration STOPPING_MAX = Duration.ofSeconds(20);

    /** Another program does not leave a port by itself, so the user should not wait long for the answer. */
    private static final Duration PORT_MAX = Duration.ofSeconds(6);

    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    /** Tells whether what is awaited has come. */
    private interface Condition {
        boolean holds() throws IOException;
    }

    private final FileChannel lock;

    private DevClaim(FileChannel lock) {
        this.lock = lock;
    }

    /** Waits for a former dev that is stopping. Creates nothing if the port is taken. */
    static DevClaim take(DevOptions options, RunningDevs devs)
            throws IOException, StartRefusedException, InterruptedException {
        int port = options.port();
        if (port != 0
                && !await(PORT_MAX, () -> isFree(port), () -> devs.onPort(port).isPresent())) {
            throw portInUse(port);
        }
        Files.createDirectories(options.data());
        FileChannel lock = FileChannel.open(
                options.data().resolve(LOCK),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        if (!await(
                STOPPING_MAX,
                () -> isLocked(lock),
                () -> devs.onData(options.data()).isPresent())) {
            throw dataInUse(options.data(), lock);
        }
        lock.truncate(0);
        lock.write(ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)), 0);
        return new DevClaim(lock);
    }

    /** Waits until no process listens on the port any more, as long as a former dev needs to stop. */
    static void awaitFree(int port) throws IOException, StartRefusedException, InterruptedException {
        if (!await(STOPPING_MAX, () -> isFree(port), () -> false)) {
            throw portInUse(port);
        }
    }

    private static StartRefusedException portInUse(int port) {
        return new StartRefusedException(
                Why.PORT_IN_USE,
                "port " + port + " is in use by another program",
                "choose another one with --port; --port 0 takes any that is free");
    }

    private static boolean await(Duration max, Condition condition, Condition announced)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!condition.holds()) {
            long waited = System.nanoTime() - begun;
            if (waited > max.toNanos() || (waited > ANNOUNCED_MAX.toNanos() && announced.holds())) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
        }
        return true;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(LOOPBACK, port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private static boolean isLocked(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    private static StartRefusedException dataInUse(Path data, FileChannel lock) throws IOException {
        try (lock) {
            ByteBuffer bytes = ByteBuffer.allocate(PID_BYTES_MAX);
            lock.read(bytes, 0);
            String pid = new String(bytes.array(), 0, bytes.position(), UTF_8).strip();
            return StartRefusedException.inUse(
                    Why.DIRECTORY_IN_USE,
                    "the data directory " + data + " is in use by a cella dev",
                    "use that one, or start another with a data directory of its own",
                    pid.matches("\\d{1,18}") ? Long.parseLong(pid) : 0,
                    "");
        }
    }

    /** Releases the data directory. The lock file stays: if it were removed, two processes could hold it at once. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
