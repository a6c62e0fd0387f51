package dev.cella.state.web.service;

import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;

/** The reason that a report gives, whether our agent or another executor reports. */
final class ReportedReason {
    private ReportedReason() {}

    /**
     * Reads the word of a report.
     *
     * @param path where the word is in the request
     * @param state what the attempt is reported to be
     */
    static TaskReason of(String path, String word, TaskState state, int featureLevel) {
        TaskReason said = Requests.word(path, TaskReason.class, word);
        if (said.isOfCheck()) {
            throw Requests.bad(
                    path, "is no reason: a report of RUNNING says whether its check has passed with checked");
        }
        return said.isGivenByCell() ? ofCell(path, said, state) : known(said, featureLevel);
    }

    /**
     * Reads whether a running attempt has passed its check. A replica from before that level cannot read it.
     *
     * @param path where it is in the request
     */
    static TaskReason ofCheck(String path, boolean hasPassed, TaskState state, int featureLevel) {
        if (state != TaskState.RUNNING) {
            throw Requests.bad(path, "belongs to a report of RUNNING, not of " + state);
        }
        if (featureLevel < EntryCodec.CHECKS_LEVEL) {
            return TaskReason.NONE;
        }
        return hasPassed ? TaskReason.CHECKED : TaskReason.AWAITS_CHECK;
    }

    /**
     * An agent repeats the reason for which the cell told the task to stop. The cell knows it, and it stands without being
     * said. An agent also ends spare work for which it has no room, and reports it as lost, because it was preempted.
     */
    private static TaskReason ofCell(String path, TaskReason said, TaskState state) {
        if (state == TaskState.KILLED || state == TaskState.PREEMPTED) {
            return TaskReason.NONE;
        }
        if (state == TaskState.LOST && said == TaskReason.PREEMPTED) {
            return said;
        }
        throw Requests.bad(path, "only the cell gives the reason " + said + ", not a report of " + state);
    }

    /** A replica from before that level cannot read the reason. */
    private static TaskReason known(TaskReason said, int featureLevel) {
        return said.isOfLevel4() && featureLevel < EntryCodec.OUT_OF_DISK_LEVEL ? TaskReason.NONE : said;
    }
}
