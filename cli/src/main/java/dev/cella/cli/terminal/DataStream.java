package dev.cella.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Data that a command writes to a file. A {@code PrintStream} tells that a write has failed, but not why; this one keeps the
 * first failure, so that a command whose output is lost does not end with 0.
 */
public final class DataStream extends PrintStream {
    private final Watched watched;

    public DataStream(OutputStream file) {
        this(new Watched(file));
    }

    private DataStream(Watched watched) {
        super(watched, false, StandardCharsets.UTF_8);
        this.watched = watched;
    }

    /** The first failure of a write, after all data is written. */
    Optional<IOException> failure() {
        flush();
        return Optional.ofNullable(watched.failure);
    }

    private static final class Watched extends FilterOutputStream {
        private volatile @Nullable IOException failure;

        Watched(OutputStream file) {
            super(file);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            try {
                out.write(bytes, from, count);
            } catch (IOException failed) {
                throw kept(failed);
            }
        }

        @Override
        public void write(int next) throws IOException {
            write(new byte[] {(byte) next}, 0, 1);
        }

        @Override
        public void flush() throws IOException {
            try {
                out.flush();
            } catch (IOException failed) {
                throw kept(failed);
            }
        }

        private IOException kept(IOException failed) {
            if (failure == null) {
                failure = failed;
            }
            return failed;
        }
    }
}
