package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * How an attempt ended, as the keeper saw it.
 *
 * @param exitCode 128 and more for a signal; meaningless if the end is unknown
 * @param signalled it still ran when it was told to end
 * @param memoryPeakBytes 0 if it was not measured
 */
public record KeptEnd(Cause cause, int exitCode, boolean signalled, long memoryPeakBytes) {
    /** The causes of an end. */
    public enum Cause {
        EXITED(0),
        OUT_OF_MEMORY(1),
        OUT_OF_DISK(2),
        /** The keeper that started it is gone, and nobody got its exit code. */
        UNKNOWN(3);

        private final int number;

        Cause(int number) {
            this.number = number;
        }

        private static Cause of(int number) throws IOException {
            for (Cause cause : values()) {
                if (cause.number == number) {
                    return cause;
                }
            }
            throw new IOException("no such cause of an end: " + number);
        }
    }

    static KeptEnd unknown() {
        return new KeptEnd(Cause.UNKNOWN, 0, false, 0);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeByte(cause.number);
        out.writeInt(exitCode);
        out.writeBoolean(signalled);
        out.writeLong(memoryPeakBytes);
    }

    static KeptEnd read(DataInputStream in) throws IOException {
        return new KeptEnd(Cause.of(in.readByte()), in.readInt(), in.readBoolean(), in.readLong());
    }
}
