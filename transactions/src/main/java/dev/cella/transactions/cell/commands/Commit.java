package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.rule.CommitRule;
import dev.cella.transactions.cell.rule.EvictionsByClaim;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.OutcomeTable;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Commits a transaction at its place in the log. It finds out whether the transaction was seen before, lets the {@link
 * CommitRule} decide, applies what was accepted, records the outcome, and reports refusals to the ledger. Owned by the
 * applying thread.
 */
public final class Commit {
    /** The slot in the changes for a claim on a machine that never existed. */
    private static final int NO_SLOT = -1;

    private static final Optional<Reason> ABORTED = Optional.of(Reason.ABORTED);

    private final Tables tables;
    private final OutcomeTable outcomes;
    private final CommitRule rule;
    private final TaskEnds ends;
    private final GroupPlacements placed = new GroupPlacements();

    public Commit(Tables tables, OutcomeTable outcomes) {
        this.tables = tables;
        this.outcomes = outcomes;
        this.rule = new CommitRule(tables);
        this.ends = new TaskEnds(tables);
    }

    /** The outcome, or the note that this transaction was decided before. */
    public CommandResult commit(Transaction transaction) {
        CellVersion version = new CellVersion(tables.version());
        int seen = outcomes.find(transaction.id());
        if (seen != OutcomeTable.NONE) {
            return repeat(transaction, version, seen);
        }
        if (isTooOld(transaction)) {
            return refused(transaction, version, Reason.BASIS_TOO_OLD);
        }
        if (isAboveLevel(transaction)) {
            return refused(transaction, version, Reason.NOT_ALLOWED);
        }
        Outcome outcome = rule.decide(transaction, new CellVersion(tables.version() - 1), version);
        apply(transaction, outcome);
        tell(transaction, outcome);
        outcomes.keep(transaction, tables.version(), tables.cellTimeMillis());
        return new CommandResult.Decided(outcome);
    }

    private boolean isAboveLevel(Transaction transaction) {
        return (transaction.isOfLevel5() && tables.featureLevel() < EntryCodec.QUEUES_LEVEL)
                || (transaction.isOfLevel7() && tables.featureLevel() < EntryCodec.SPARE_LEVEL)
                || (transaction.isOfLevel9() && tables.featureLevel() < EntryCodec.COPIES_LEVEL);
    }

    private CommandResult repeat(Transaction transaction, CellVersion version, int seen) {
        return outcomes.asked(seen) == transaction.digest()
                ? new CommandResult.Repeated(version, new CellVersion(outcomes.version(seen)))
                : refused(transaction, version, Reason.ID_REUSED);
    }

    private static CommandResult refused(Transaction transaction, CellVersion version, Reason reason) {
        return new CommandResult.Decided(Outcome.refused(transaction.id(), version, reason));
    }

    private boolean isTooOld(Transaction transaction) {
        long basis = transaction.basis().number();
        return basis != 0 && basis < outcomes.horizon();
    }

    // ---- what was accepted

    private void apply(Transaction transaction, Outcome outcome) {
        if (outcome.verdict() == Verdict.REJECTED) {
            return;
        }
        applySteps(transaction, outcome);
        if (transaction.evictions().isEmpty()) {
            applyClaims(transaction, outcome);
        } else {
            applyEvicting(transaction, outcome);
        }
        applyHolds(transaction, outcome);
        applyScales(transaction, outcome);
        remember(transaction);
        endOffers(transaction);
    }

    /**
     * Ends the offers that the transaction accepts, so that what its claims left goes back, and the offers that it rescinds.
     */
    private void endOffers(Transaction transaction) {
        if (!transaction.keepsOffers()) {
            transaction.offers().forEach(this::endOffer);
        }
        transaction.rescinds().forEach(this::endOffer);
    }

    private void endOffer(OfferId offer) {
        if (tables.holds.find(offer) != null) {
            tables.offerEnded(offer);
        }
    }

    private void applyClaims(Transaction transaction, Outcome outcome) {
        for (int place = 0, end; place < rule.accepted(); place = end) {
            end = endOfGroup(transaction, outcome, place);
            place(transaction, outcome, place, end);
            endSpare(transaction, outcome, end - 1);
        }
    }

    private void applyEvicting(Transaction transaction, Outcome outcome) {
        EvictionsByClaim evictions = EvictionsByClaim.of(transaction);
        applyEvictions(transaction, outcome, evictions.alone(), OptionalInt.empty());
        for (int place = 0; place < rule.accepted(); place++) {
            applyEvicting(transaction, outcome, evictions, place);
        }
    }

    private void applyEvicting(Transaction transaction, Outcome outcome, EvictionsByClaim evictions, int place) {
        int claim = rule.acceptedClaim(place);
        applyEvictions(transaction, outcome, evictions.of(claim), OptionalInt.of(claim));
        place(transaction, outcome, place, place + 1);
        endAtOnce(transaction, outcome, evictions.of(claim));
        endSpare(transaction, outcome, place);
    }

    /** Ends spare tasks that the claim, which is placed by now, leaves no room for. */
    private void endSpare(Transaction transaction, Outcome outcome, int place) {
        int claim = rule.acceptedClaim(place);
        if (transaction.kind(claim).takesRoom()) {
            ends.endSpareFor(outcome.slot(claim), claim);
        }
    }

    /**
     * The place where claims on tasks of another group, or of another kind, begin. A claim that may end spare tasks is the last
     * one before it, because they end for that claim.
     */
    private int endOfGroup(Transaction transaction, Outcome outcome, int from) {
        int first = rule.acceptedClaim(from);
        int end = from + 1;
        while (end < rule.accepted()
                && transaction.reference(rule.acceptedClaim(end)) == transaction.reference(first)
                && transaction.kind(rule.acceptedClaim(end)) == transaction.kind(first)
                && !mayEndSpare(transaction, outcome, end - 1)) {
            end++;
        }
        return end;
    }

    private boolean mayEndSpare(Transaction transaction, Outcome outcome, int place) {
        int claim = rule.acceptedClaim(place);
        return !tables.spare.isEmpty()
                && transaction.kind(claim).takesRoom()
                && !tables.spare.on(outcome.slot(claim)).isEmpty();
    }

    /**
     * Places or queues the tasks of the accepted claims in this range as one change. All of them are of one kind, for tasks of
     * one group.
     */
    private void place(Transaction transaction, Outcome outcome, int from, int end) {
        placed.clear();
        for (int place = from; place < end; place++) {
            int claim = rule.acceptedClaim(place);
            placed.add(transaction.index(claim), outcome.slot(claim), claim);
        }
        int first = rule.acceptedClaim(from);
        long job = transaction.referenceJob(transaction.reference(first));
        int group = transaction.referenceGroup(transaction.reference(first));
        switch (transaction.kind(first)) {
            case PLACE, START -> tables.tasksPlaced(job, group, placed);
            case QUEUE -> tables.tasksQueued(job, group, placed);
            case SPARE -> tables.spareTasksPlaced(job, group, placed);
        }
    }

    private void applyEvictions(Transaction transaction, Outcome outcome, IntStream places, OptionalInt forClaim) {
        places.filter(place -> outcome.isAccepted(transaction.claims() + place))
                .forEach(place -> ends.evict(victim(transaction, place), forClaim));
    }

    /** Ends the victims of a claim on a machine without an agent. The claim has taken over what it needs by now. */
    private void endAtOnce(Transaction transaction, Outcome outcome, IntStream places) {
        places.filter(place -> outcome.isAccepted(transaction.claims() + place))
                .forEach(place -> ends.endWithoutAgent(victim(transaction, place)));
    }

    private int victim(Transaction transaction, int place) {
        return rowOf(transaction.evictions().get(place).task());
    }

    private int rowOf(TaskId task) {
        return tables.jobs.get(task.job().version()).group(task.group()).row(task.index());
    }

    private void applyHolds(Transaction transaction, Outcome outcome) {
        int first = transaction.claims() + transaction.evictions().size();
        for (int ordinal = 0; ordinal < transaction.holds().size(); ordinal++) {
            if (outcome.isAccepted(first + ordinal)) {
                applyHold(transaction.holds().get(ordinal), ordinal);
            }
        }
    }

    private void applyHold(HoldRequest hold, int ordinal) {
        long expiresAt = Math.addExact(tables.cellTimeMillis(), hold.expiresAfterMillis());
        if (hold.isOffer()) {
            tables.offerPut(hold.sessionVersion(), ordinal, hold.machine(), hold.amounts(), expiresAt);
        } else {
            tables.holdPut(hold.jobVersion(), ordinal, hold.machine(), hold.amounts(), expiresAt);
        }
    }

    private void applySteps(Transaction transaction, Outcome outcome) {
        int place = outcome.items()
                - transaction.scales().size()
                - transaction.steps().size();
        for (Step step : transaction.steps()) {
            if (outcome.isAccepted(place++)) {
                applyStep(step);
            }
        }
    }

    private void applyScales(Transaction transaction, Outcome outcome) {
        int place = outcome.items() - transaction.scales().size();
        for (Scale scale : transaction.scales()) {
            if (outcome.isAccepted(place++)) {
                tables.jobScaled(scale.job().version(), scale.group(), scale.count());
            }
        }
    }

    /** Skips jobs that have gone in the meantime: nobody would read their progress. */
    private void remember(Transaction transaction) {
        transaction.progress().forEach((id, progress) -> {
            JobRow job = tables.jobs.find(id.version());
            if (job != null && !job.isEnded()) {
                tables.jobProgress(id.version(), progress);
            }
        });
    }

    private void applyStep(Step step) {
        TaskId task = step.task();
        long job = task.job().version();
        if (step.kind() == Step.Kind.AGAIN) {
            tables.taskAgain(job, task.group(), task.index());
            return;
        }
        if (step.kind() == Step.Kind.COPY) {
            tables.taskCopied(job, task.group(), task.index());
            return;
        }
        if (step.kind() == Step.Kind.UPGRADE) {
            tables.taskUpgraded(job, task.group(), task.index());
            return;
        }
        int row = rowOf(task);
        if (row != TaskTable.NO_ROW && tables.tasks.state(row).isOnMachine()) {
            ends.stop(row, step.kind() == Step.Kind.REPLACE ? TaskReason.UPDATED : TaskReason.KILLED);
        } else {
            ends.kill(tables.jobs.get(job).group(task.group()), task.index());
        }
    }

    // ---- what is counted and written into the ledger

    private void tell(Transaction transaction, Outcome outcome) {
        int conflicted = 0;
        int refused = 0;
        for (int place = 0; place < outcome.items(); place++) {
            if (!outcome.isAccepted(place)) {
                ItemResult result = outcome.result(place);
                boolean counts = !result.reason().equals(ABORTED);
                conflicted += counts && result.conflict() ? 1 : 0;
                refused += counts && !result.conflict() ? 1 : 0;
                tellRefused(transaction, place, result);
            }
        }
        tellTried(transaction, outcome);
        tables.transactionDecided(
                outcome.verdict(), transaction.basis().number(), outcome.accepted(), conflicted, refused);
    }

    private void tellRefused(Transaction transaction, int place, ItemResult result) {
        if (result.kind() == ItemKind.CLAIM && !result.reason().equals(ABORTED)) {
            int reference = transaction.reference(place);
            int slot = transaction.machine(place);
            tables.itemRefused(
                    transaction.referenceJob(reference),
                    transaction.referenceGroup(reference),
                    transaction.index(place),
                    slot < tables.machines.slots() ? slot : NO_SLOT,
                    result);
        }
    }

    /** Reports each job that the claims name, with its number of conflicts. */
    private void tellTried(Transaction transaction, Outcome outcome) {
        if (outcome.items() == 0) {
            return;
        }
        if (transaction.references() == 1) {
            tellTried(transaction.referenceJob(0), conflicts(transaction, outcome)[0]);
            return;
        }
        int[] conflicts = conflicts(transaction, outcome);
        Map<Long, Integer> conflictsByJob = new LinkedHashMap<>();
        for (int reference = 0; reference < transaction.references(); reference++) {
            conflictsByJob.merge(transaction.referenceJob(reference), conflicts[reference], Integer::sum);
        }
        conflictsByJob.forEach(this::tellTried);
    }

    private void tellTried(long job, int conflicts) {
        if (tables.jobs.find(job) != null) {
            tables.jobTried(job, conflicts);
        }
    }

    private static int[] conflicts(Transaction transaction, Outcome outcome) {
        int[] conflicts = new int[transaction.references()];
        for (int claim = 0; outcome.isConflicted() && claim < transaction.claims(); claim++) {
            boolean conflict =
                    !outcome.isAccepted(claim) && outcome.result(claim).conflict();
            conflicts[transaction.reference(claim)] += conflict ? 1 : 0;
        }
        return conflicts;
    }
}
