package dev.cella.transactions.model;

/**
 * The reasons why a transaction, one of its items, or another command was refused. Their order is that of SEMANTICS section 5.
 */
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
    /** A live job of that name differs. */
    JOB_DIFFERS,
    /** A machine that an operator removes or shrinks still holds that much. */
    STILL_HELD,
    /** The life cycle of an attempt has no such step. */
    ILLEGAL_STEP,
    /** The report is about a placement that is not the task's current one. The agent should stop it. */
    NOT_CURRENT,
    /** The cell was already founded, or is not founded yet. */
    WRONG_CELL,
    /** The update requires another version of the job than its last one. */
    JOB_CHANGED,
    /** Nobody has defined the pool. */
    UNKNOWN_POOL,
    /** The pool has a job, or a pool below it. */
    POOL_IN_USE,
    /** A scheduler that takes part in offers claims more than it is offered, or names another scheduler's offer. */
    NOT_OFFERED,
    /** The offer has ended. */
    UNKNOWN_OFFER,
    /** The task waits in that machine's queue already. Used from feature level 5 on. */
    ALREADY_QUEUED,
    /** The task waits in as many queues as a task may, or its job has as many queue rows or holds as a job may. */
    TOO_MANY_ROWS,
    /** The machine's queue is as long as a queue may be. Used from feature level 5 on. */
    QUEUE_FULL,
    /** The task does not wait in that machine's queue. Used from feature level 5 on. */
    NOT_QUEUED
}
