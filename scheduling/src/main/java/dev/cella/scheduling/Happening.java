package dev.cella.scheduling;

/** What can happen to a job and is worth a turn, if its last plan asked for it with {@link Wake.On}. */
public enum Happening {
    /** A task of the job started to run. */
    STARTED,
    /** A task of the job ended. */
    ENDED,
    /** Somebody updated or scaled the job, or changed its priority. */
    CHANGED,
    /** Something moved that the job's quota or its scheduler's rights depend on. */
    POLICY,
    /** Everything that the job's last plan asked for has been decided: {@link JobWork#results}. */
    TOLD
}
