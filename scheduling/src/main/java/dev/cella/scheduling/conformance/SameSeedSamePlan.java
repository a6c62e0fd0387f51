package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Plan;
import dev.cella.transactions.cell.CellView;
import java.util.ArrayList;
import java.util.List;

/**
 * Two instances, made one after the other, make the same plan on equal cells with the same seed: a plan depends on nothing
 * else.
 */
final class SameSeedSamePlan implements Check {
    @Override
    public String promise() {
        return "makes the same plan from the same seed";
    }

    @Override
    public void on(Trial trial) {
        List<String> once = new ArrayList<>();
        run(trial, once);
        List<String> again = new ArrayList<>();
        DrivenScheduler<?> second = run(trial, again);
        if (!once.equals(again)) {
            int first = firstDifference(once, again);
            throw second.failed("plan " + (first + 1) + " differs from the one before with the same seed, which was: "
                    + (first < once.size() ? once.get(first) : "none"));
        }
    }

    private static DrivenScheduler<?> run(Trial trial, List<String> plans) {
        DrivenScheduler<?> driven = trial.drive(trial.drawCell(trial.random()));
        driven.watchedBy(new DrivenScheduler.Witness() {
            @Override
            public void planned(CellView view, Plan<?> plan) {
                plans.add(PlanText.of(plan, view));
            }
        });
        driven.run();
        return driven;
    }

    private static int firstDifference(List<String> some, List<String> others) {
        int place = 0;
        while (place < Math.min(some.size(), others.size()) && some.get(place).equals(others.get(place))) {
            place++;
        }
        return place;
    }
}
