package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Transaction;
import java.util.List;

/** A plan on a {@link SampleCell}, with the questions that tests ask. */
public final class SamplePlan {
    private final CellView view;
    private final Plan<?> plan;

    SamplePlan(CellView view, Plan<?> plan) {
        this.view = view;
        this.plan = plan;
    }

    public List<Transaction> transactions() {
        return plan.proposals().stream().map(each -> each.transaction()).toList();
    }

    /** The number of claims. */
    public int claims() {
        return transactions().stream().mapToInt(Transaction::claims).sum();
    }

    /** The number of claims on the machine of that name. */
    public int claimsOn(String machine) {
        int slot = view.findMachine(machine)
                .orElseThrow(() -> new IllegalArgumentException("there is no machine " + machine));
        int count = 0;
        for (Transaction transaction : transactions()) {
            for (int claim = 0; claim < transaction.claims(); claim++) {
                count += transaction.machine(claim) == slot ? 1 : 0;
            }
        }
        return count;
    }

    /** Why tasks were left, one per group. */
    public List<Unplaced> unplaced() {
        return plan.unplaced();
    }

    /** The same as text for people; empty if every task was placed. */
    public String reasons() {
        return String.join(
                "; ", plan.unplaced().stream().map(Unplaced::sentence).toList());
    }

    @Override
    public String toString() {
        return PlanText.of(plan, view);
    }
}
