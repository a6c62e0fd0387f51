package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.List;

/** A plan as text for people. Two plans are equal if their texts are. */
final class PlanText {
    private PlanText() {}

    static String of(Plan<?> plan, CellView view) {
        List<String> lines = new ArrayList<>();
        plan.proposals().stream().map(Proposal::transaction).forEach(each -> lines.add(transaction(each, view)));
        plan.unplaced().forEach(each -> lines.add(unplaced(each, view)));
        plan.wakes().forEach(wake -> lines.add("wakes on " + wake));
        return lines.isEmpty() ? "nothing" : String.join("\n", lines);
    }

    private static String transaction(Transaction transaction, CellView view) {
        List<String> items = new ArrayList<>();
        for (int claim = 0; claim < transaction.claims(); claim++) {
            items.add(task(transaction.task(claim), view) + " on " + machine(transaction.machine(claim), view));
        }
        transaction
                .evictions()
                .forEach(eviction -> items.add("evict " + task(eviction.task(), view)
                        + (eviction.forClaim().isPresent()
                                ? " for claim " + eviction.forClaim().getAsInt()
                                : "")));
        transaction
                .holds()
                .forEach(hold -> items.add("hold " + hold.amounts() + " on " + machine(hold.machine(), view)));
        transaction.steps().forEach(step -> items.add(step.kind() + " " + task(step.task(), view)));
        transaction.scales().forEach(scale -> items.add("scale " + scale));
        transaction.progress().forEach((job, progress) -> items.add("remember " + job + " " + progress));
        return transaction.atomicity() + " " + transaction.conflictRule() + ": " + String.join(", ", items);
    }

    private static String task(TaskId task, CellView view) {
        return view.job(task.job()).map(job -> job.name() + "/").orElse(task.job() + "/") + task.group() + "/"
                + task.index();
    }

    private static String machine(int slot, CellView view) {
        return slot < view.machineSlots() && view.machineExists(slot) ? view.machineName(slot) : "slot " + slot;
    }

    private static String unplaced(Unplaced unplaced, CellView view) {
        return unplaced.tasks() + " of "
                + view.job(unplaced.job()).map(job -> job.name()).orElse("?") + "/" + unplaced.group() + " unplaced: "
                + unplaced.sentence();
    }
}
