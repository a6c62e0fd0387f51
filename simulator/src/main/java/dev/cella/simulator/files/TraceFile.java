package dev.cella.simulator.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.TraceFormat;
import dev.cella.simulator.workload.UnreadableTraceException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.LineNumberReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Reads a trace, gzipped or not. */
public final class TraceFile {
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private TraceFile() {}

    public static Trace read(Path file) throws IOException, UnreadableTraceException {
        try (CutOffStream bytes = new CutOffStream(open(file));
                LineNumberReader text = new LineNumberReader(new InputStreamReader(bytes, UTF_8))) {
            Trace trace = TraceFormat.readAny(text);
            if (bytes.isCutOff) {
                throw new UnreadableTraceException(text.getLineNumber(), 1, "the compressed file is cut off here");
            }
            return trace;
        }
    }

    private static InputStream open(Path file) throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(Files.newInputStream(file));
        bytes.mark(2);
        boolean compressed = bytes.read() == GZIP_FIRST && bytes.read() == GZIP_SECOND;
        bytes.reset();
        return compressed ? new GZIPInputStream(bytes) : bytes;
    }

    /** Ends at truncated compressed bytes, so that the reader of the text finds the place. */
    private static final class CutOffStream extends FilterInputStream {
        private boolean isCutOff;

        CutOffStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            try {
                return super.read(into, from, length);
            } catch (EOFException cutOff) {
                isCutOff = true;
                return -1;
            }
        }
    }
}
