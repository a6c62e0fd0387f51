package dev.cella.state.core;

/** A backup that is not as it was written, or that this program cannot read: where, and what is wrong there. */
public final class DamagedBackupException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedBackupException(long position, String what) {
        super("the backup is damaged at byte %d: %s".formatted(position, what));
    }
}
