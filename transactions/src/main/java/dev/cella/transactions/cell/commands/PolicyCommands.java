package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Labels;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Reason;

/** Applies operators' commands to pools and schedulers. Lowering a limit below use refuses only new claims. */
public final class PolicyCommands {
    private final Tables tables;
    private final Answers answers;

    public PolicyCommands(Tables tables) {
        this.tables = tables;
        this.answers = new Answers(tables);
    }

    public CommandResult putPool(Command.PutPool put) {
        if (put.limits().size() > tables.dimensions().size()) {
            return answers.refused(Reason.BAD_COMMAND, "the pool limits a dimension that the cell does not know");
        }
        PoolRow pool = tables.policies.find(put.path());
        Limits before = pool == null ? Limits.NONE : pool.limits();
        if (before.equals(put.limits())) {
            return answers.unchanged(0);
        }
        if (pool != null && pool.isDefined()) {
            return answers.refused(Reason.NOT_ALLOWED, "the pool is defined with weights and minima; define it again");
        }
        tables.poolPut(put.path(), put.limits());
        return answers.changed(0);
    }

    public CommandResult define(Command.DefinePool define) {
        if (isBelowLevel()) {
            return belowLevel("weights and minima of pools");
        }
        PoolPolicy policy = define.policy();
        if (Math.max(policy.limits().size(), policy.minimum().size())
                > tables.dimensions().size()) {
            return answers.refused(Reason.BAD_COMMAND, "the pool names a dimension that the cell does not know");
        }
        PoolRow pool = tables.policies.find(define.path());
        if (pool != null && pool.isDefined() && pool.policy().equals(policy)) {
            return answers.unchanged(0);
        }
        tables.poolDefined(define.path(), policy);
        return answers.changed(0);
    }

    /** A pool stays while jobs or pools below it use it: their limits must not vanish silently. */
    public CommandResult remove(Command.RemovePool remove) {
        PoolRow pool = tables.policies.find(remove.path());
        if (pool == null || !isSaid(pool)) {
            return answers.refused(Reason.UNKNOWN_POOL, "nobody defined the pool " + remove.path());
        }
        for (PoolRow other : tables.policies.pools()) {
            if (isSaid(other) && other != pool && Labels.isPoolWithin(other.path(), remove.path())) {
                return answers.refused(
                        Reason.POOL_IN_USE, "the pool " + other.path() + " is below it; remove that one first");
            }
        }
        for (JobRow job : tables.jobs.all().values()) {
            if (!job.isEnded() && Labels.isPoolWithin(job.header().pool(), remove.path())) {
                return answers.refused(Reason.POOL_IN_USE, "job " + job.name() + " is in it");
            }
        }
        tables.poolRemoved(remove.path());
        return answers.changed(0);
    }

    private static boolean isSaid(PoolRow pool) {
        return pool.isDefined() || pool.limits().size() > 0;
    }

    private boolean isBelowLevel() {
        return tables.featureLevel() < EntryCodec.POLICY_LEVEL;
    }

    private CommandResult belowLevel(String what) {
        return answers.refused(
                Reason.NOT_ALLOWED,
                what + " need feature level " + EntryCodec.POLICY_LEVEL + ", the cell is at " + tables.featureLevel());
    }

    public CommandResult setRights(Command.SetRights set) {
        if (!set.rights().isPlain() && isBelowLevel()) {
            return belowLevel("rights that name machines");
        }
        if (set.rights().isOfLevel7() && tables.featureLevel() < EntryCodec.SPARE_LEVEL) {
            return answers.refused(
                    Reason.NOT_ALLOWED,
                    "rights that bound spare tasks need feature level " + EntryCodec.SPARE_LEVEL + ", the cell is at "
                            + tables.featureLevel());
        }
        if (tables.policies.rights(set.scheduler()).equals(set.rights())) {
            return answers.unchanged(0);
        }
        tables.rightsSet(set.scheduler(), set.rights());
        return answers.changed(0);
    }

    public CommandResult pause(Command.PauseScheduler pause) {
        if (tables.policies.isPaused(pause.scheduler()) == pause.paused()) {
            return answers.unchanged(0);
        }
        tables.schedulerPaused(pause.scheduler(), pause.paused());
        return answers.changed(0);
    }
}
