package dev.cella.state.core;

import dev.cella.transactions.codec.UnknownLevelException;
import java.util.Optional;

/** A replica cannot start for a reason that a person can fix. Nothing was changed on disk. */
public final class StartRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reasons for refusing a start. */
    public enum Why {
        DIRECTORY_IN_USE,
        NOT_WRITABLE,
        OTHER_CELL,
        DISK_LOW,
        PORT_IN_USE,
        /** The address at which the log listens for the other replicas. */
        LOG_PORT_IN_USE,
        /** The directory, or the cell, names another replica or another directory. */
        OTHER_REPLICA,
        /** The directory should have a log, but the log is missing or does not reach far enough. */
        LOG_INCOMPLETE,
        /** The log lacks entries that its replica has confirmed to the others. */
        OLDER_COPY,
        /** A newer program wrote the newest checkpoint, at a feature level or in a format that this one does not know. */
        NEWER_PROGRAM,
        /** A file of the log, or the file with the directory's identity, is damaged. */
        DAMAGED
    }

    private final Why why;
    private final long pid;
    private final String address;
    private final String hint;

    private StartRefusedException(Why why, String message, String hint, long pid, String address) {
        super(message);
        this.why = why;
        this.hint = hint;
        this.pid = pid;
        this.address = address;
    }

    public StartRefusedException(Why why, String message, String hint) {
        this(why, message, hint, 0, "");
    }

    /** Another process has the directory or the port. The pid is 0 and the address empty if they are not known. */
    public static StartRefusedException inUse(Why why, String message, String hint, long pid, String address) {
        return new StartRefusedException(why, message, hint, pid, address);
    }

    /** A newer program wrote what is named, which is not damaged. */
    public static StartRefusedException newer(String what, UnknownLevelException newer) {
        return new StartRefusedException(
                Why.NEWER_PROGRAM,
                "%s was written by a newer program: %s".formatted(what, newer.getMessage()),
                "use that program: it reads all of it, and this one has changed nothing");
    }

    public Why why() {
        return why;
    }

    /** What the person can do: the text of a {@code hint:} line. */
    public String hint() {
        return hint;
    }

    /** The process that is in the way, if it is known. */
    public Optional<Long> pid() {
        return pid > 0 ? Optional.of(pid) : Optional.empty();
    }

    /** The address of that process, if it is known. */
    public Optional<String> address() {
        return address.isEmpty() ? Optional.empty() : Optional.of(address);
    }
}
