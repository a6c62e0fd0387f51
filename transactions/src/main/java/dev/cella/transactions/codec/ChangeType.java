package dev.cella.transactions.codec;

/** The first byte of each change. A number is never given twice. */
final class ChangeType {
    static final int FRAME_END = 0;
    static final int FOUNDED = 1;
    static final int FEATURE_LEVEL_RAISED = 2;
    static final int DIMENSION_ADDED = 3;
    static final int MACHINE_REGISTERED = 4;
    static final int MACHINE_RENEWED = 5;
    static final int MACHINE_MARKED = 6;
    static final int MACHINE_REMOVED = 7;
    static final int JOB_SUBMITTED = 8;
    static final int JOB_UPDATED = 9;
    static final int JOB_STOPPED = 10;
    static final int JOB_TRIED = 11;

    /** Names the job and group that the task changes after it are about. */
    static final int GROUP = 12;

    static final int TASK_PLACED = 13;
    static final int TASK_STEPPED = 14;
    static final int TASK_AGAIN = 15;
    static final int SESSION_OPENED = 16;
    static final int SESSION_RENEWED = 17;
    static final int SESSION_CLOSED = 18;
    static final int TRANSACTION_DECIDED = 19;
    static final int ITEM_REFUSED = 20;
    static final int TASK_EVICTED = 21;
    static final int POOL_PUT = 22;
    static final int RIGHTS_SET = 23;
    static final int HOLD_PUT = 24;

    /** As {@link #JOB_STOPPED}, for another reason than a request. */
    static final int JOB_STOPPED_BECAUSE = 25;

    static final int JOB_SCALED = 26;
    static final int JOB_FORGOTTEN = 27;
    static final int JOB_PROGRESS = 28;
    static final int TASK_FORGOTTEN = 29;
    static final int MACHINE_DRAINED = 30;
    static final int SCHEDULER_PAUSED = 31;

    static final int POOL_DEFINED = 32;
    static final int POOL_REMOVED = 33;

    /** As {@link #RIGHTS_SET}, for rights with rules for machines or with the right to offer. */
    static final int RIGHTS_ON_MACHINES_SET = 34;

    static final int TOKEN_PUT = 60;
    static final int TOKEN_REVOKED = 61;

    static final int SESSION_OFFERS = 35;
    static final int OFFER_PUT = 36;
    static final int OFFER_ENDED = 37;
    static final int OFFER_REFUSED = 38;
    static final int OFFERS_REVIVED = 39;

    /** From feature level 5 on. */
    static final int TASK_QUEUED = 40;

    /** From feature level 6 on. */
    static final int JOB_GRACE = 41;

    /** As {@link #TASK_PLACED}, for a spare task. From feature level 7 on. */
    static final int SPARE_TASK_PLACED = 42;

    /** From feature level 7 on. */
    static final int TASK_UPGRADED = 43;

    /** As {@link #RIGHTS_ON_MACHINES_SET}, with a bound of spare tasks. From feature level 7 on. */
    static final int RIGHTS_ON_SPARE_SET = 44;

    /** From feature level 8 on. */
    static final int JOB_COUNT_ASKED = 45;

    /** From feature level 9 on. */
    static final int TASK_COPIED = 46;

    private ChangeType() {}
}
