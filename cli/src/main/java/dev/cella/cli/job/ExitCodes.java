package dev.cella.cli.job;

import java.util.Map;
import java.util.Optional;

/** The meaning of exit codes that a shell or a signal sets; a program's own codes are unknown. */
final class ExitCodes {
    private static final int SIGNALLED = 128;
    private static final int SIGNALS = 64;

    private static final Map<Integer, String> MEANINGS = Map.of(
            126,
            "the command is there and cannot be executed",
            127,
            "there is no such command",
            SIGNALLED + 4,
            "illegal instruction, signal ILL",
            SIGNALLED + 6,
            "it aborted, signal ABRT",
            SIGNALLED + 8,
            "arithmetic error, signal FPE",
            SIGNALLED + 9,
            "it was killed, signal KILL: often for lack of memory",
            SIGNALLED + 11,
            "it touched memory that is not its own, signal SEGV",
            SIGNALLED + 13,
            "nobody read what it wrote, signal PIPE",
            SIGNALLED + 15,
            "it was told to end, signal TERM");

    private ExitCodes() {}

    static Optional<String> meaning(int code) {
        String known = MEANINGS.get(code);
        return known != null
                ? Optional.of(known)
                : code > SIGNALLED && code <= SIGNALLED + SIGNALS
                        ? Optional.of("it was ended by signal " + (code - SIGNALLED))
                        : Optional.empty();
    }
}
