package dev.cella.transactions.cell;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Reason;

/** What operators say about pools and schedulers. Lowering a limit below use refuses new claims only. */
final class PolicyCommands {
    private final Tables tables;
    private final Answers answers;

    PolicyCommands(Tables tables) {
        this.tables = tables;
        this.answers = new Answers(tables);
    }

    CommandResult putPool(Command.PutPool put) {
        if (put.limits().size() > tables.dimensions().size()) {
            return answers.refused(Reason.BAD_COMMAND, "the pool limits a dimension that the cell does not know");
        }
        PoolRow pool = tables.policies.find(put.path());
        Limits before = pool == null ? Limits.NONE : pool.limits();
        if (before.equals(put.limits())) {
            return answers.unchanged(0);
        }
        tables.poolPut(put.path(), put.limits());
        return answers.changed(0);
    }

    CommandResult setRights(Command.SetRights set) {
        if (tables.policies.rights(set.scheduler()).equals(set.rights())) {
            return answers.unchanged(0);
        }
        tables.rightsSet(set.scheduler(), set.rights());
        return answers.changed(0);
    }

    CommandResult pause(Command.PauseScheduler pause) {
        if (tables.policies.isPaused(pause.scheduler()) == pause.paused()) {
            return answers.unchanged(0);
        }
        tables.schedulerPaused(pause.scheduler(), pause.paused());
        return answers.changed(0);
    }
}
