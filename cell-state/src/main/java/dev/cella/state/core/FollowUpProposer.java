package dev.cella.state.core;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Proposes the commands that finish large changes, and those that are due by time. No command changes more than a bounded
 * number of rows, so further commands finish the loss of a machine or the stop of a job. A drain has a deadline, and the rows
 * of an ended job are dropped a day later. The remaining work follows from the cell state, so any leader can go on.
 */
final class FollowUpProposer {
    private final CommonCell cell;
    private final Executor answers;
    private final Proposals proposals;
    private volatile @Nullable LeaderClock clock;

    FollowUpProposer(CommonCell cell, Executor answers, Proposals proposals) {
        this.cell = cell;
        this.answers = answers;
        this.proposals = proposals;
    }

    void lead(LeaderClock continued) {
        clock = continued;
        answers.execute(this::lookAtTheClock);
    }

    void follow() {
        clock = null;
    }

    /** Called by the apply thread after each entry. Mostly there is nothing to do. */
    void look() {
        if (clock != null && cell.hasUnfinished()) {
            answers.execute(this::lookAtTheClock);
        }
    }

    boolean isLeading() {
        return clock != null;
    }

    /** Proposes what is due. Also called at each tick of the timer, for work that becomes due while nothing happens. */
    void lookAtTheClock() {
        LeaderClock leads = clock;
        if (leads != null) {
            cell.unfinished(leads.now()).forEach(command -> proposals.propose(command, this::look));
        }
    }
}
