package dev.cella.transactions.model;

/** The permanent identity of a task: its job, the place of its group in the job, and its index in the group. */
public record TaskId(JobId job, int group, int index) {
    public TaskId {
        check(group, index);
    }

    static void check(int group, int index) {
        if (group < 0 || group >= JobHeader.GROUPS_MAX) {
            throw new IllegalArgumentException("no job has a group " + group);
        }
        if (index < 0 || index >= JobHeader.TASKS_MAX) {
            throw new IllegalArgumentException("no group has a task " + index);
        }
    }

    /** Returns whether a cell may ever have that task. What an unchecked client names may be nothing that could be. */
    public static boolean canBe(long job, int group, int index) {
        return job > 0 && group >= 0 && group < JobHeader.GROUPS_MAX && index >= 0 && index < JobHeader.TASKS_MAX;
    }

    public long digest() {
        return Digests.mix(job.version(), (long) group << 32 | index);
    }

    @Override
    public String toString() {
        return job + "/" + group + "/" + index;
    }
}
