package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides steps on tasks of the scheduler's own jobs, and scales of their groups. Steps come first, so that one transaction
 * can retry a task and place it.
 */
final class StepRule {
    private final Tables tables;
    private final Decision decision;
    private final UpgradeRule upgrades;
    private final GrantedSizes sizes = new GrantedSizes();
    private final Set<ScaledGroup> named = new HashSet<>();

    StepRule(Tables tables, Decision decision, QuotaRule quota, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.upgrades = new UpgradeRule(tables, decision, quota, winners);
    }

    void decide() {
        sizes.clear();
        Transaction transaction = decision.transaction();
        int place = decision.items()
                - transaction.scales().size()
                - transaction.steps().size();
        for (Step step : transaction.steps()) {
            decide(step, place++);
        }
    }

    private void decide(Step step, int place) {
        Reason illegal = refuse(step);
        ItemResult refused = illegal == null ? refuseUpgrade(step) : ItemResult.refused(ItemKind.STEP, illegal);
        if (refused != null) {
            decision.refuse(place, refused);
            return;
        }
        decision.step(step.task(), step.kind());
        take(step);
        decision.accept(place, ItemKind.STEP, OptionalInt.empty());
    }

    private @Nullable ItemResult refuseUpgrade(Step step) {
        GroupRow group = decision.find(step.task());
        return group == null || step.kind() != Step.Kind.UPGRADE
                ? null
                : upgrades.refuse(group.job(), group.row(step.task().index()));
    }

    private @Nullable Reason refuse(Step step) {
        GroupRow group = decision.find(step.task());
        if (group == null) {
            return Reason.UNKNOWN_TASK;
        }
        if (decision.isStepped(step.task())) {
            return Reason.DUPLICATE_TASK;
        }
        if (!decision.isOwn(group.job())) {
            return Reason.NOT_ALLOWED;
        }
        int row = group.row(step.task().index());
        int attempt = row == TaskTable.NO_ROW ? 0 : tables.tasks.attempt(row);
        if (step.attempt() != attempt) {
            return Reason.TASK_CHANGED;
        }
        return switch (step.kind()) {
            case AGAIN -> refuseAgain(group, row);
            case STOP -> refuseStop(group, row);
            case REPLACE -> row == TaskTable.NO_ROW || isPending(row) ? Reason.ILLEGAL_STEP : refuseStop(group, row);
            case UPGRADE ->
                row == TaskTable.NO_ROW || !upgrades.isLegal(row) || group.job().isStopped()
                        ? Reason.ILLEGAL_STEP
                        : null;
            case COPY -> CopyRule.refuse(tables, group, step.task().index(), decision.copies());
        };
    }

    /** A new attempt follows an ended one, unless the task is over for good. */
    private @Nullable Reason refuseAgain(GroupRow group, int row) {
        if (row == TaskTable.NO_ROW || !tables.facts.stateOf(row).isEnded()) {
            return Reason.ILLEGAL_STEP;
        }
        if (group.job().isEnded() || group.job().isStopped() || tables.facts.isOver(row)) {
            return Reason.NOT_ALLOWED;
        }
        return tables.facts.waitsForMachine(row) ? Reason.MACHINE_NOT_READY : null;
    }

    /** A pending task needs no replacement: its next attempt has the newest generation anyway. */
    private boolean isPending(int row) {
        return tables.tasks.state(row) == TaskState.PENDING;
    }

    private @Nullable Reason refuseStop(GroupRow group, int row) {
        TaskState state = row == TaskTable.NO_ROW ? TaskState.PENDING : tables.tasks.state(row);
        boolean canStop = state == TaskState.PENDING || state == TaskState.PLACED || state == TaskState.RUNNING;
        return canStop && !group.job().isStopped() ? null : Reason.ILLEGAL_STEP;
    }

    /**
     * A task that is stopped on a machine without an agent ends at once, and its amounts are free for the claims that follow.
     */
    private void take(Step step) {
        int row = decision.row(step.task());
        if (step.kind() == Step.Kind.UPGRADE) {
            decision.draft().upgrade(row);
        } else if (step.kind() == Step.Kind.COPY) {
            decision.copy();
            sizes.copied(tables.jobs
                    .get(step.task().job().version())
                    .group(step.task().group()));
        } else if (row != TaskTable.NO_ROW && tables.tasks.state(row).isOnMachine()) {
            decision.draft().endWithoutAgent(row);
        }
    }

    // ---- scales

    private record ScaledGroup(JobId job, int group) {}

    /** Scales do not affect the other items of their transaction, so they are decided and applied last. */
    void decideScales() {
        List<Scale> scales = decision.transaction().scales();
        int place = decision.items() - scales.size();
        named.clear();
        for (Scale scale : scales) {
            Reason refused = refuse(scale);
            if (refused == null) {
                sizes.scaled(tables.jobs.get(scale.job().version()).group(scale.group()), scale.count());
                decision.accept(place++, ItemKind.SCALE, OptionalInt.empty());
            } else {
                decision.refuse(place++, ItemResult.refused(ItemKind.SCALE, refused));
            }
        }
    }

    private @Nullable Reason refuse(Scale scale) {
        boolean again = !named.add(new ScaledGroup(scale.job(), scale.group()));
        JobRow job = tables.jobs.find(scale.job().version());
        if (job == null) {
            return Reason.UNKNOWN_JOB;
        }
        if (!decision.isOwn(job)) {
            return Reason.NOT_ALLOWED;
        }
        if (scale.generation() != job.generation()) {
            return Reason.TASK_CHANGED;
        }
        if (again) {
            return Reason.DUPLICATE_TASK;
        }
        Reason refused = ScaleRule.refuse(job, scale.group(), scale.count());
        if (refused != null) {
            return refused;
        }
        GroupRow group = job.group(scale.group());
        if (isAskedSince(scale, group)) {
            return Reason.TASK_CHANGED;
        }
        return sizes.mayHave(group, scale.count()) ? null : Reason.BAD_COMMAND;
    }

    /** Returns whether the group has another number than the scale expects, or the same one that a person has said since. */
    private boolean isAskedSince(Scale scale, GroupRow group) {
        boolean asked = group.askedVersion() > decision.transaction().basis().number();
        return scale.expected().isPresent()
                && (asked || !scale.expects(group.header().count()));
    }
}
