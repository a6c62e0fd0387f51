package dev.cella.state.core;

import java.nio.file.Path;

/** A log on disk is damaged: which file, where in it, and what is wrong there. */
public final class DamagedLogException extends Exception {
    private static final long serialVersionUID = 1L;

    public DamagedLogException(Path file, long position, String what) {
        super("the log's file %s is damaged at byte %d: %s".formatted(file, position, what));
    }
}
