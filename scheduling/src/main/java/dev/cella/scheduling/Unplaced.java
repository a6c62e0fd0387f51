package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Why some tasks of a group were not placed. Every machine counts under exactly one cause, so the counts add up to the
 * machines of the cell. If runningMax or a wrong option keeps the tasks back, no machine is counted.
 *
 * @param tasks how many tasks of the group are left
 * @param asked the amounts that each of them asks for
 * @param roomiest the machine that comes nearest to holding one
 * @param cell the place of the cell among those of the plan
 * @param neverPlaceable no machine of the cell could hold one even if it were empty: too small, or excluded by a constraint
 * @param helps the smallest changes known of which each lets one more task be placed, in words
 */
public record Unplaced(
        JobId job,
        int group,
        int tasks,
        Amounts asked,
        List<Cause> causes,
        Optional<Roomiest> roomiest,
        boolean neverPlaceable,
        int cell,
        List<String> helps) {

    /** How many machines could not take a task for this reason, with one of them as an example. */
    public record Cause(Kind kind, String detail, int machines, String example) {
        /** @param first whether no cause before this one named the machines */
        private String sentence(boolean first) {
            String number = String.format(Locale.ROOT, "%,d", machines);
            String count = first ? number + (machines == 1 ? " machine" : " machines") : number;
            return switch (kind) {
                case TOO_SMALL ->
                    number + (machines == 1 ? " machine is" : " machines are") + " too small in " + detail;
                case LACKS -> number + (machines == 1 ? " machine lacks " : " machines lack ") + detail;
                case HELD -> count + (machines == 1 ? " has" : " have") + " the room held for " + detail;
                case NOT_READY -> count + " " + detail.toLowerCase(Locale.ROOT);
                case EXCLUDED -> count + " excluded by " + detail;
                case RUNNING_MAX -> "as many are on machines as runningMax lets (" + detail + ")";
                case QUOTA, RIGHTS -> "held back by " + detail;
                case OPTIONS -> detail;
                case AFTER -> "it starts after " + detail;
            };
        }
    }

    /** The kinds of causes. */
    public enum Kind {
        /** The whole machine is smaller than the request, in the dimension named by the detail. */
        TOO_SMALL,
        /** Too little is free, in the dimension named by the detail. */
        LACKS,
        /** What others hold there is missing; the detail names the job or the scheduler that it is held for. */
        HELD,
        /** The machine takes no claims; the detail is its status. */
        NOT_READY,
        /**
         * The job's placement or the planner's policy excludes the machine; the detail is the rule as the job wrote it.
         */
        EXCLUDED,
        /** No machine: the group has as many tasks on machines as it may have, which is the detail. */
        RUNNING_MAX,
        /** No machine: a pool has too little left for one more task; the detail names the pool and the dimension. */
        QUOTA,
        /** No machine: the scheduler may not place tasks of that priority or pool, which is the detail. */
        RIGHTS,
        /** No machine: the job sets an option that its scheduler does not have, or cannot set so; the detail says it. */
        OPTIONS,
        /** No machine: groups that the group comes after have not finished; the detail says which, and how far they are. */
        AFTER
    }

    /** A machine by name, and its free amounts. */
    public record Roomiest(String machine, Amounts free) {}

    public Unplaced {
        causes = List.copyOf(causes);
        helps = List.copyOf(helps);
        if (tasks < 1) {
            throw new IllegalArgumentException("nothing is unplaced: " + tasks);
        }
    }

    /** In the only cell. */
    public Unplaced(
            JobId job,
            int group,
            int tasks,
            Amounts asked,
            List<Cause> causes,
            Optional<Roomiest> roomiest,
            boolean neverPlaceable) {
        this(job, group, tasks, asked, causes, roomiest, neverPlaceable, 0, List.of());
    }

    /** The same reasons for another group of tasks, which asks the same of the same machines. */
    public Unplaced of(PendingGroup other) {
        return new Unplaced(
                other.job(), other.place(), other.left(), asked, causes, roomiest, neverPlaceable, cell, helps);
    }

    /** Returns whether the job sets an option that its scheduler refuses: it must be changed. */
    boolean isRefused() {
        return causes.stream().anyMatch(cause -> cause.kind() == Kind.OPTIONS);
    }

    /** The same in the cell of that place. */
    Unplaced in(int place) {
        return place == cell
                ? this
                : new Unplaced(job, group, tasks, asked, causes, roomiest, neverPlaceable, place, helps);
    }

    /** The same with changes of which each would let one more task be placed. */
    Unplaced helpedBy(List<String> changes) {
        return new Unplaced(job, group, tasks, asked, causes, roomiest, neverPlaceable, cell, changes);
    }

    public JobKey key() {
        return new JobKey(cell, job);
    }

    /** Returns whether a quota or a right, not the machines, keeps the tasks back. */
    boolean isPolicy() {
        return causes.stream().anyMatch(cause -> cause.kind() == Kind.QUOTA || cause.kind() == Kind.RIGHTS);
    }

    /** Returns whether no machine is at fault, only what else of the job is not over. */
    boolean waitsForOwnTasks() {
        return causes.stream().anyMatch(cause -> cause.kind() == Kind.RUNNING_MAX || cause.kind() == Kind.AFTER);
    }

    /** "1,203 machines lack cpuMilli, 17 drained, 4 excluded by rack=r1". */
    public String sentence() {
        if (causes.isEmpty()) {
            return "the cell has no machine";
        }
        return IntStream.range(0, causes.size())
                .mapToObj(place -> causes.get(place).sentence(place == 0))
                .collect(Collectors.joining(", "));
    }
}
