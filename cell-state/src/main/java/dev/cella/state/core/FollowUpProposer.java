package dev.cella.state.core;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Proposes what large commands leave to be done, and what comes due by time: no command changes more than a bounded number
 * of rows, so a machine is lost, and a job stopped, by further commands; a drain has a deadline, and the rows of a job
 * that has ended are dropped a day later. What is left is in the cell state, so that any leader can go on.
 */
final class FollowUpProposer {
    private final CommonCell cell;
    private final Time time;
    private final Executor answers;
    private final Proposals proposals;
    private volatile @Nullable LeaderClock clock;

    FollowUpProposer(CommonCell cell, Time time, Executor answers, Proposals proposals) {
        this.cell = cell;
        this.time = time;
        this.answers = answers;
        this.proposals = proposals;
    }

    void lead() {
        clock = new LeaderClock(cell.cellTime(), time);
        lookAtTheClock();
    }

    void follow() {
        clock = null;
    }

    /** After each entry, by the apply thread: mostly there is nothing. */
    void look() {
        if (clock != null && cell.hasUnfinished()) {
            answers.execute(this::propose);
        }
    }

    /** Now and then, by the timer: also what comes due while nothing happens. */
    void lookAtTheClock() {
        if (clock != null) {
            answers.execute(this::propose);
        }
    }

    private void propose() {
        LeaderClock leads = clock;
        if (leads != null) {
            cell.unfinished(leads.now()).forEach(command -> proposals.propose(command, this::look));
        }
    }
}
