package dev.cella.transactions.model;

/** Why a transaction, one of its items, or another command was refused. The order is that of SEMANTICS section 5. */
public enum Reason {
    ID_REUSED,
    BASIS_TOO_OLD,
    OTHER_INCARNATION,
    FENCED,
    BASIS_AHEAD,
    BAD_COMMAND,

    UNKNOWN_TASK,
    TASK_NOT_PENDING,
    TASK_CHANGED,
    DUPLICATE_TASK,
    UNKNOWN_MACHINE,
    MACHINE_NOT_READY,
    QUOTA,
    NOT_ALLOWED,
    HELD,
    MACHINE_CHANGED,
    DOES_NOT_FIT,
    TASK_NOT_PLACED,
    ABORTED,

    UNKNOWN_JOB,
    UNKNOWN_SESSION,
    /** A live job of that name is another one. */
    JOB_DIFFERS,
    /** A machine that is to go, or to shrink, still holds that much. */
    STILL_HELD,
    /** The life of an attempt has no such step. */
    ILLEGAL_STEP,
    /** The report is about a placement that is not the task's current one: stop it. */
    NOT_CURRENT,
    /** The cell was founded already, or not yet. */
    WRONG_CELL,
    /** The job was updated at another version than the one that an update is for. */
    JOB_CHANGED,
    /** Nobody has said anything of the pool. */
    UNKNOWN_POOL,
    /** A job, or a pool below it, is in the pool. */
    POOL_IN_USE,
    /** A scheduler that takes part in offers claims more than it is offered, or names an offer that is not its own. */
    NOT_OFFERED,
    /** The offer has ended. */
    UNKNOWN_OFFER
}
