package dev.cella.transactions.cell.rule;

import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.HoldTable;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests for holds (SEMANTICS section 5, "Holds"). A request is granted if its job and machine exist and the machine
 * could ever satisfy it. The hold starts with what is free and grows.
 */
final class HoldRule {
    private final Tables tables;
    private final Decision decision;
    private final QuotaRule quota;
    private final Winners winners;

    /** How many holds the current transaction has been granted for each job. */
    private final Map<JobRow, Integer> granted = new HashMap<>();

    HoldRule(Tables tables, Decision decision, QuotaRule quota, Winners winners) {
        this.tables = tables;
        this.decision = decision;
        this.quota = quota;
        this.winners = winners;
    }

    void decide() {
        granted.clear();
        Transaction transaction = decision.transaction();
        List<HoldRequest> holds = transaction.holds();
        int first = transaction.claims() + transaction.evictions().size();
        for (int ordinal = 0; ordinal < holds.size(); ordinal++) {
            decide(holds.get(ordinal), ordinal, first + ordinal);
        }
    }

    private void decide(HoldRequest request, int ordinal, int place) {
        ItemResult refused = request.isOffer() ? refuseOffer(request) : refuse(request);
        if (refused != null) {
            decision.refuse(place, refused);
            return;
        }
        Transaction transaction = decision.transaction();
        Origin origin = new Origin(
                transaction.id(),
                transaction.scheduler(),
                decision.session(),
                decision.version().number());
        decision.draft().hold(row(request, origin, ordinal));
        decision.accept(place, ItemKind.HOLD, OptionalInt.of(request.machine()));
    }

    private HoldRow row(HoldRequest request, Origin origin, int ordinal) {
        if (request.isOffer()) {
            SessionRow session = Objects.requireNonNull(tables.sessions.find(request.sessionVersion()));
            return new HoldRow(
                    origin,
                    ordinal,
                    request.sessionVersion(),
                    session.scheduler(),
                    0,
                    request.machine(),
                    request.amounts(),
                    0);
        }
        JobRow job = Objects.requireNonNull(tables.jobs.find(request.jobVersion()));
        granted.merge(job, 1, Integer::sum);
        return new HoldRow(origin, ordinal, job, request.machine(), request.amounts(), 0);
    }

    /** An offer holds what is free now, for a session of another scheduler that takes part in offers. */
    private @Nullable ItemResult refuseOffer(HoldRequest request) {
        SessionRow session = tables.sessions.find(request.sessionVersion());
        int slot = request.machine();
        if (session == null) {
            return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_SESSION);
        }
        ItemResult refused = refuseMachine(slot);
        if (refused != null) {
            return refused;
        }
        boolean allowed = session.offers().isPresent()
                && !session.scheduler().equals(decision.transaction().scheduler())
                && decision.rights().offers()
                && quota.mayUse(slot);
        if (!allowed) {
            return ItemResult.refused(ItemKind.HOLD, Reason.NOT_ALLOWED);
        }
        if (winners.isAnother(slot)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_CHANGED);
        }
        if (request.amounts().size() > tables.dimensions().size()) {
            return refuseTooLarge(request.amounts(), slot);
        }
        int inVain = tables.dimensions().firstNamedInVain(request.amounts());
        if (inVain >= 0) {
            long asked = request.amounts().at(inVain);
            return Refusals.of(ItemKind.HOLD, Reason.DOES_NOT_FIT, inVain, asked, 0, null);
        }
        int lacking = decision.draft().firstLacking(slot, request.amounts());
        return lacking < 0
                ? refuseOneMore(slot)
                : Refusals.of(
                        ItemKind.HOLD,
                        Reason.DOES_NOT_FIT,
                        lacking,
                        request.amounts().at(lacking),
                        could(slot, request.amounts(), lacking),
                        winners.on(slot));
    }

    /** The free amount; in a set dimension, the free members among those it asks for. */
    private long could(int slot, Amounts asked, int dimension) {
        return tables.dimensions().isSet(dimension)
                ? decision.draft().servable(slot, asked, dimension)
                : decision.draft().free(slot, dimension);
    }

    private @Nullable ItemResult refuseMachine(int slot) {
        if (!tables.machines.exists(slot)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_MACHINE);
        }
        return tables.machines.isReady(slot) ? null : ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_NOT_READY);
    }

    private @Nullable ItemResult refuse(HoldRequest request) {
        JobRow job = tables.jobs.find(request.job().version());
        int slot = request.machine();
        if (job == null || job.isEnded() || job.isStopped()) {
            return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_JOB);
        }
        ItemResult refused = refuseMachine(slot);
        if (refused != null) {
            return refused;
        }
        if (isBounded() && decision.takesOffers()) {
            decision.beyondOffers();
            return ItemResult.refused(ItemKind.HOLD, Reason.NOT_OFFERED);
        }
        ItemResult over = quota.refuseMore(ItemKind.HOLD, job, request.amounts());
        if (over != null) {
            return over;
        }
        if (!decision.rights().holds() || !quota.mayPlace(job) || !quota.mayUse(slot)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.NOT_ALLOWED);
        }
        if (winners.isAnother(slot)) {
            return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_CHANGED);
        }
        ItemResult tooLarge = refuseTooLarge(request.amounts(), slot);
        if (tooLarge != null) {
            return tooLarge;
        }
        boolean hasMost = tables.holds.count(job) + granted.getOrDefault(job, 0) >= HoldTable.HOLDS_A_JOB_MAX;
        return isBounded() && hasMost ? ItemResult.refused(ItemKind.HOLD, Reason.TOO_MANY_ROWS) : refuseOneMore(slot);
    }

    private boolean isBounded() {
        return tables.featureLevel() >= EntryCodec.BOUNDED_HOLDS_LEVEL;
    }

    /** Refuses a hold on a machine that has as many as it may have. */
    private @Nullable ItemResult refuseOneMore(int slot) {
        return isBounded() && decision.draft().holdsOn(slot).size() >= HoldTable.HOLDS_A_MACHINE_MAX
                ? Refusals.of(ItemKind.HOLD, Reason.HELD, winners.on(slot))
                : null;
    }

    /** Refuses more than the machine will ever have. */
    private @Nullable ItemResult refuseTooLarge(Amounts wanted, int slot) {
        int lacking = tables.machines.firstTooLarge(slot, wanted);
        return lacking < 0
                ? null
                : Refusals.of(
                        ItemKind.HOLD,
                        Reason.DOES_NOT_FIT,
                        lacking,
                        wanted.at(lacking),
                        tables.machines.couldGet(slot, wanted, lacking),
                        null);
    }
}
