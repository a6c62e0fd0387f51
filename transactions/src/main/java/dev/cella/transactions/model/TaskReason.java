package dev.cella.transactions.model;

/**
 * Why a task is stopping, why its attempt ended, or how a running one stands with its check, in addition to its {@link
 * TaskState}.
 */
public enum TaskReason {
    /** The state says it all. */
    NONE(0),
    /** Its job was stopped, or its scheduler stopped it. */
    KILLED(1),
    /** Another claim took its place. */
    PREEMPTED(2),
    /** Its machine is being drained. */
    DRAINED(3),
    /** A newer generation of the job replaces it. */
    UPDATED(4),
    /** It ran longer than allowed. */
    TIMEOUT(5),
    /** Its process could not be started. */
    NOT_STARTED(6),
    /** It used more memory than it asked for. */
    OUT_OF_MEMORY(7),
    /** Its check failed too often. */
    UNHEALTHY(8),
    /** Its machine was lost, removed, or came back as another incarnation. */
    MACHINE_LOST(9),
    /** Its agent does not know its state. */
    AGENT_LOST(10),
    /** Its command is not on its machine, or is not executable. */
    COMMAND_NOT_FOUND(11),
    /** Its folder is not on its machine. */
    DIRECTORY_NOT_FOUND(12),
    /** Its job has ended: more tasks of a group failed for good than the group allows. */
    TOO_MANY_FAILURES(13),
    /** Its work directory held more than it asked for. Used from feature level 4 on. */
    OUT_OF_DISK(14),
    /** Its machine does not have the user that it runs as. Used from feature level 4 on. */
    USER_NOT_FOUND(15),
    /** Its user may not enter its directory. Used from feature level 4 on. */
    DIRECTORY_FORBIDDEN(16),
    /** Its machine does not have the isolation that it asks for. Used from feature level 4 on. */
    NOT_ISOLATED(17),
    /**
     * Its agent found no room for it beside what runs there, or a member of a set that another attempt has: the cell and the
     * agent disagree, which must not happen. Used from feature level 4 on.
     */
    DOES_NOT_FIT(18),
    /** Its copy finished first, or it is a copy of a task that is over. Used from feature level 9 on. */
    COPY(19),
    /** It runs, and its check has not passed yet. Used from feature level 12 on. */
    AWAITS_CHECK(20),
    /** It runs, and its check has passed. Used from feature level 12 on. */
    CHECKED(21);

    private final int code;

    TaskReason(int code) {
        this.code = code;
    }

    /** Returns whether the cell gives it by itself; who runs a task only repeats it. */
    public boolean isGivenByCell() {
        return switch (this) {
            case PREEMPTED, DRAINED, UPDATED, MACHINE_LOST, TOO_MANY_FAILURES, COPY -> true;
            case NONE,
                    KILLED,
                    TIMEOUT,
                    NOT_STARTED,
                    OUT_OF_MEMORY,
                    UNHEALTHY,
                    AGENT_LOST,
                    COMMAND_NOT_FOUND,
                    DIRECTORY_NOT_FOUND,
                    OUT_OF_DISK,
                    USER_NOT_FOUND,
                    DIRECTORY_FORBIDDEN,
                    NOT_ISOLATED,
                    DOES_NOT_FIT,
                    AWAITS_CHECK,
                    CHECKED -> false;
        };
    }

    /** Returns whether replicas know it only from feature level 4 on. */
    public boolean isOfLevel4() {
        return code >= OUT_OF_DISK.code;
    }

    /** Returns whether it says how a running task stands with its check. No other task has it. */
    public boolean isOfCheck() {
        return this == AWAITS_CHECK || this == CHECKED;
    }

    /** Its number in bytes and digests. The numbers never change. */
    public int code() {
        return code;
    }
}
