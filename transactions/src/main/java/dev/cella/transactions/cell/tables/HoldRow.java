package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Origin;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reservation of amounts on one machine: what it wants and what it has got so far. It is for a job, or it is an offer to a
 * session of another scheduler. The hold that was requested first is older. A live row: it changes with the tables, on the
 * thread that owns them.
 */
public final class HoldRow {
    private final Origin origin;
    private final int ordinal;
    private final @Nullable JobRow job;
    private final long session;
    private final String scheduler;
    private final long madeAtMillis;
    private final int slot;
    private final long expiresAtMillis;
    private Amounts wanted;
    private Amounts got = Amounts.NONE;

    public HoldRow(Origin origin, int ordinal, JobRow job, int slot, Amounts wanted, long expiresAtMillis) {
        this(origin, ordinal, job, 0, "", 0, slot, wanted, expiresAtMillis);
    }

    /** An offer to that session of that scheduler. */
    public HoldRow(
            Origin origin,
            int ordinal,
            long session,
            String scheduler,
            long madeAtMillis,
            int slot,
            Amounts wanted,
            long expiresAtMillis) {
        this(origin, ordinal, null, session, scheduler, madeAtMillis, slot, wanted, expiresAtMillis);
    }

    private HoldRow(
            Origin origin,
            int ordinal,
            @Nullable JobRow job,
            long session,
            String scheduler,
            long madeAtMillis,
            int slot,
            Amounts wanted,
            long expiresAtMillis) {
        this.origin = origin;
        this.ordinal = ordinal;
        this.job = job;
        this.session = session;
        this.scheduler = scheduler;
        this.madeAtMillis = madeAtMillis;
        this.slot = slot;
        this.wanted = wanted;
        this.expiresAtMillis = expiresAtMillis;
    }

    /** A copy that is not in the table. The current transaction may change it. */
    public HoldRow copy() {
        HoldRow copy =
                new HoldRow(origin, ordinal, job, session, scheduler, madeAtMillis, slot, wanted, expiresAtMillis);
        copy.got = got;
        return copy;
    }

    /** As it was requested, for other tables: the slot of its machine there, and the row of its job there if it has one. */
    public HoldRow in(int otherSlot, @Nullable JobRow otherJob) {
        return new HoldRow(
                origin, ordinal, otherJob, session, scheduler, madeAtMillis, otherSlot, wanted, expiresAtMillis);
    }

    /** The transaction that requested it. */
    public Origin origin() {
        return origin;
    }

    /** Its place among the holds of that transaction. */
    public int ordinal() {
        return ordinal;
    }

    /** The job that it is for; empty if it is an offer. */
    public Optional<JobRow> job() {
        return Optional.ofNullable(job);
    }

    @Nullable
    JobRow jobOrNull() {
        return job;
    }

    public boolean isOffer() {
        return job == null;
    }

    /** The name of the offer. */
    public OfferId offer() {
        return new OfferId(origin.version(), ordinal);
    }

    /** The session that it is offered to, or 0. */
    public long session() {
        return session;
    }

    /** The scheduler that it is offered to; empty if it is for a job. */
    public String scheduler() {
        return scheduler;
    }

    /** The version of the job or session that it is for. */
    public long owner() {
        return job == null ? session : job.id().version();
    }

    /** Returns whether a claim on a task of the job, made by that session of that scheduler, takes from it. */
    boolean isFor(JobRow claimed, String by, long bySession) {
        return job == null
                ? scheduler.equals(by) && (bySession == 0 || bySession == session)
                : job.id().equals(claimed.id());
    }

    public int slot() {
        return slot;
    }

    /** When it was offered. */
    public CellTime madeAt() {
        return new CellTime(madeAtMillis);
    }

    public CellTime expiresAt() {
        return new CellTime(expiresAtMillis);
    }

    public Amounts wanted() {
        return wanted;
    }

    public Amounts got() {
        return got;
    }

    public boolean isComplete() {
        return got.equals(wanted);
    }

    Amounts lacks() {
        return got.isNone() ? wanted : wanted.minus(got);
    }

    void grow(Amounts more) {
        got = got.plus(more);
    }

    /** Takes from the hold what its owner needs. The hold then wants that much less. Returns what it gave. */
    Amounts use(Amounts need) {
        Amounts used = got.min(need);
        got = got.minus(used);
        wanted = need.namesMembers() ? stillWanted(need) : wanted.minus(wanted.min(need));
        return used;
    }

    /** In a set dimension the hold wants that many members less, but never fewer than it has or names. */
    private Amounts stillWanted(Amounts need) {
        long[] values = new long[wanted.size()];
        Arrays.setAll(values, place -> Math.max(0, wanted.at(place) - need.at(place)));
        Members named = wanted.members().minus(need.members());
        for (int place = 0; place < values.length; place++) {
            int kept = named.at(place).plus(got.members().at(place)).size();
            values[place] = Math.max(values[place], kept);
        }
        return Amounts.of(values).naming(named);
    }

    boolean isUsedUp() {
        return wanted.isNone();
    }
}
