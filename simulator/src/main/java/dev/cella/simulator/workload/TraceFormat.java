package dev.cella.simulator.workload;

import java.io.BufferedReader;
import java.io.IOException;

/** The readable trace formats, recognised by their first line. */
public enum TraceFormat {
    /** Arrival in seconds, number of tasks, their mean duration, each duration (Pigeon, Megha, Sparrow). */
    TR {
        @Override
        public Trace read(BufferedReader text) throws IOException, UnreadableTraceException {
            return new TrReader().read(text);
        }
    },
    /** Job, arrival, gap, then bytes of input, shuffle and output (SWIM's Facebook traces). */
    SWIM {
        @Override
        public Trace read(BufferedReader text) throws IOException, UnreadableTraceException {
            return new SwimReader().read(text);
        }
    },
    /** The jobs in a cell when the observation began (the input of Google's cluster simulator). */
    GOOGLE {
        @Override
        public Trace read(BufferedReader text) throws IOException, UnreadableTraceException {
            return new GoogleReader().read(text);
        }
    };

    private static final int MARKED_MAX = 1 << 20;

    public abstract Trace read(BufferedReader text) throws IOException, UnreadableTraceException;

    /** Reads a trace of any format. */
    public static Trace readAny(BufferedReader text) throws IOException, UnreadableTraceException {
        text.mark(MARKED_MAX);
        String first = text.readLine();
        while (first != null && first.isBlank()) {
            first = text.readLine();
        }
        if (first == null) {
            throw new UnreadableTraceException(1, 1, "there is nothing in it");
        }
        text.reset();
        return of(first).read(text);
    }

    private static TraceFormat of(String firstLine) {
        TraceLine fields = TraceLine.ofBlanks(1, firstLine);
        if (GoogleReader.canBe(fields)) {
            return GOOGLE;
        }
        return Character.isLetter(fields.text(0).charAt(0)) ? SWIM : TR;
    }
}
