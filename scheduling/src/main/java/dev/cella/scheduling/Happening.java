package dev.cella.scheduling;

/** The events of a job that lead to a turn if its last plan asked for them with {@link Wake.On}. */
public enum Happening {
    /** A task of the job started to run, or its check has passed. */
    STARTED,
    /** A task of the job ended. */
    ENDED,
    /** Somebody updated or scaled the job, or changed its priority. */
    CHANGED,
    /** Something changed that affects the job's quota or its scheduler's rights. */
    POLICY,
    /** Everything that the job's last plan asked for has been decided: {@link JobWork#results}. */
    TOLD,
    /**
     * Less important tasks were placed, by any scheduler, or jobs of its scheduler that are as important and behind it. The job
     * may now be able to evict them. The first time one such placement is enough; after each turn that placed nothing it takes
     * twice as many, up to sixteen.
     */
    OVERTAKEN
}
