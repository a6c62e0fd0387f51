package dev.cella.transactions.cell.rule;

import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.Transaction;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The evictions of one transaction, grouped by claim, each list in the order of the transaction. Without it each claim would
 * search all evictions, which costs claims times evictions.
 */
public final class EvictionsByClaim {
    private static final int END = -1;
    static final EvictionsByClaim NONE = new EvictionsByClaim(0, List.of());

    private final int claims;
    private final int[] first;
    private final int[] next;

    private EvictionsByClaim(int claims, List<Eviction> evictions) {
        this.claims = claims;
        this.first = new int[claims + 1];
        this.next = new int[evictions.size()];
        Arrays.fill(first, END);
        for (int place = evictions.size() - 1; place >= 0; place--) {
            int list = evictions.get(place).forClaim().orElse(claims);
            next[place] = first[list];
            first[list] = place;
        }
    }

    public static EvictionsByClaim of(Transaction transaction) {
        return transaction.evictions().isEmpty()
                ? NONE
                : new EvictionsByClaim(transaction.claims(), transaction.evictions());
    }

    /** The places of the evictions for that claim, in ascending order. */
    public IntStream of(int claim) {
        return places(next.length == 0 ? END : first[claim]);
    }

    /** The places of the evictions that are for no claim, in ascending order. */
    public IntStream alone() {
        return places(next.length == 0 ? END : first[claims]);
    }

    private IntStream places(int from) {
        return IntStream.iterate(from, place -> place != END, place -> next[place]);
    }
}
