package dev.cella.state.core;

import java.util.concurrent.Executor;

/**
 * Proposes what large commands leave to be done: no command changes more than a bounded number of rows, so a machine is
 * lost, and a job stopped, by further commands. What is left is in the cell state, so that any leader can go on.
 */
final class FollowUps {
    private final CommonCell cell;
    private final Executor answers;
    private final Proposals proposals;
    private volatile boolean leads;

    FollowUps(CommonCell cell, Executor answers, Proposals proposals) {
        this.cell = cell;
        this.answers = answers;
        this.proposals = proposals;
    }

    void lead() {
        leads = true;
        look();
    }

    void follow() {
        leads = false;
    }

    /** After each entry, by the apply thread, and now and then by the timer: mostly there is nothing. */
    void look() {
        if (leads && cell.hasUnfinished()) {
            answers.execute(this::propose);
        }
    }

    private void propose() {
        cell.unfinished().forEach(command -> proposals.propose(command, this::look));
    }
}
