package dev.cella.scheduler.service.offers;

import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.List;

/** A name under which frameworks share a cell, with its weight and its guarantee. Belongs to one round. */
final class Role {
    private final String name;
    private final int weight;
    private final Amounts guarantee;
    private final long[] totals;
    private final Holding holding;
    private final List<Framework> frameworks = new ArrayList<>();
    private Amounts kept = Amounts.NONE;

    /** @param totals what the machines of the cell have together */
    Role(String name, int weight, Amounts guarantee, long[] totals) {
        this.name = name;
        this.weight = weight;
        this.guarantee = guarantee;
        this.totals = totals;
        this.holding = new Holding(weight, totals);
    }

    String name() {
        return name;
    }

    int weight() {
        return weight;
    }

    long[] totals() {
        return totals;
    }

    void add(Framework framework) {
        frameworks.add(framework);
    }

    List<Framework> frameworks() {
        return frameworks;
    }

    double share() {
        return holding.share();
    }

    void holds(Amounts amounts) {
        holding.add(amounts, 1);
    }

    void returns(Amounts amounts) {
        holding.add(amounts, -1);
    }

    boolean wants() {
        return frameworks.stream().anyMatch(Framework::wants);
    }

    boolean isBelowGuarantee() {
        return !lacks().isNone();
    }

    /** The amounts by which it is below its guarantee. A guarantee above the cell counts as the whole cell. */
    Amounts lacks() {
        if (guarantee.isNone()) {
            return Amounts.NONE;
        }
        long[] lacks = new long[totals.length];
        for (int dimension = 0; dimension < lacks.length; dimension++) {
            long due = Math.min(guarantee.at(dimension), totals[dimension]);
            lacks[dimension] = Math.max(0, due - holding.held(dimension));
        }
        return Amounts.of(lacks);
    }

    /** The amounts that it lacks, without those that are kept for it. */
    Amounts missing() {
        Amounts lacks = lacks();
        return lacks.minus(lacks.min(kept));
    }

    /** Keeps free amounts for it if it lacks any of them, even if none of its frameworks takes them now. */
    boolean keeps(Amounts amounts) {
        boolean helps = !missing().min(amounts).isNone();
        kept = helps ? kept.plus(amounts) : kept;
        return helps;
    }

    /** Returns whether it stays at its guarantee if it gives these amounts away. */
    boolean canGive(Amounts amounts) {
        for (int dimension = 0; dimension < Math.min(amounts.size(), totals.length); dimension++) {
            long left = holding.held(dimension) - amounts.at(dimension);
            if (amounts.at(dimension) > 0 && left < Math.min(guarantee.at(dimension), totals[dimension])) {
                return false;
            }
        }
        return true;
    }
}
