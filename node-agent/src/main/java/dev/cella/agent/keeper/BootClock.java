package dev.cella.agent.keeper;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock in nanoseconds that never goes back and counts the time of a suspend, as the cell's clock does. {@link
 * System#nanoTime} stands still in a suspend, so a lease that ended meanwhile would seem to last.
 *
 * <p>It is {@code nanoTime}, and what the kernel's time since boot has gained over it. The latter has only hundredths of a
 * second and is read at another moment, so a gain of less than a second is none. Any thread may ask it.
 */
public final class BootClock implements LongSupplier {
    private static final long GAIN_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

    /** An agent of many machines asks for the time much more often. */
    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The kernel's time since boot; empty if it cannot be read. */
    interface Uptime {
        OptionalLong nanos();
    }

    private final LongSupplier nanoTime;
    private final Uptime uptime;
    private final long aheadNanos;
    private long readAtNanos;
    private long suspendedNanos;

    BootClock(LongSupplier nanoTime, Uptime uptime) {
        this.nanoTime = nanoTime;
        this.uptime = uptime;
        this.readAtNanos = nanoTime.getAsLong();
        this.aheadNanos = uptime.nanos().orElse(readAtNanos) - readAtNanos;
    }

    /** The clock of this machine. */
    public static BootClock system() {
        return new BootClock(System::nanoTime, open());
    }

    /** It stays open, because a process with too many open files must know the time, too. */
    private static Uptime open() {
        try {
            RandomAccessFile file = new RandomAccessFile("/proc/uptime", "r");
            return () -> read(file);
        } catch (FileNotFoundException unreadable) {
            return OptionalLong::empty;
        }
    }

    private static OptionalLong read(RandomAccessFile file) {
        byte[] bytes = new byte[64];
        try {
            file.seek(0);
            int length = file.read(bytes);
            return length < 0 ? OptionalLong.empty() : parse(new String(bytes, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException unreadable) {
            return OptionalLong.empty();
        }
    }

    /** The first of two numbers of seconds. */
    static OptionalLong parse(String uptime) {
        int end = uptime.indexOf(' ');
        try {
            double seconds = Double.parseDouble(uptime.substring(0, Math.max(0, end)));
            return OptionalLong.of((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
        } catch (NumberFormatException unknown) {
            return OptionalLong.empty();
        }
    }

    @Override
    public synchronized long getAsLong() {
        if (nanoTime.getAsLong() - readAtNanos >= READ_EVERY_NANOS) {
            countSuspends();
        }
        return nanoTime.getAsLong() + suspendedNanos;
    }

    /** The uptime is read first: if this thread stands still between the two, the gain is too small and not too large. */
    private void countSuspends() {
        OptionalLong up = uptime.nanos();
        readAtNanos = nanoTime.getAsLong();
        if (up.isPresent()) {
            long gained = up.getAsLong() - readAtNanos - aheadNanos;
            if (gained - suspendedNanos > GAIN_NANOS_MIN) {
                suspendedNanos = gained;
            }
        }
    }
}
