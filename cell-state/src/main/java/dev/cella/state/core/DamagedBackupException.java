package dev.cella.state.core;

/** A backup is damaged, or this program cannot read it. The message says where and what is wrong. */
public final class DamagedBackupException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedBackupException(long position, String what) {
        super("the backup is damaged at byte %d: %s".formatted(position, what));
    }
}
