package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Origin;
import java.util.Arrays;

/**
 * A reservation of amounts on one machine for a job: what it wants and what it has got so far. Older is who was requested
 * first. A live row: it goes on changing on the thread that owns the tables.
 */
public final class HoldRow {
    private final Origin origin;
    private final int ordinal;
    private final JobRow job;
    private final int slot;
    private final long expiresAtMillis;
    private Amounts wanted;
    private Amounts got = Amounts.NONE;

    HoldRow(Origin origin, int ordinal, JobRow job, int slot, Amounts wanted, long expiresAtMillis) {
        this.origin = origin;
        this.ordinal = ordinal;
        this.job = job;
        this.slot = slot;
        this.wanted = wanted;
        this.expiresAtMillis = expiresAtMillis;
    }

    /** A copy that a transaction being decided may change. */
    HoldRow draft() {
        HoldRow draft = new HoldRow(origin, ordinal, job, slot, wanted, expiresAtMillis);
        draft.got = got;
        return draft;
    }

    /** The transaction that requested it. */
    public Origin origin() {
        return origin;
    }

    /** Its place among the holds of that transaction. */
    public int ordinal() {
        return ordinal;
    }

    public JobRow job() {
        return job;
    }

    public int slot() {
        return slot;
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

    /** Its owner takes what it needs of it, and wants that much less. Answers what came out of it. */
    Amounts use(Amounts need) {
        Amounts used = got.min(need);
        got = got.minus(used);
        wanted = need.namesMembers() ? stillWanted(need) : wanted.minus(wanted.min(need));
        return used;
    }

    /** Of a set it wants as many members less, but none less than it still has, or names. */
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
