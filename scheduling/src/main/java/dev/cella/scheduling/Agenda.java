package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import java.util.List;
import java.util.Optional;

/**
 * Which of the work that waits is next: a policy, and a pure function. It answers one job, several jobs to be planned
 * together, or none to wait.
 *
 * @param <M> the scheduler's memory
 */
@FunctionalInterface
public interface Agenda<M> {
    /** The jobs of the next plan. Those that do not wait, or no more, are left out of it. */
    List<JobKey> next(Standing standing, M memory);

    /** How {@link Standing} is to be sorted. */
    default QueueOrder order() {
        return QueueOrder.PRIORITY;
    }

    /** Whether it looks at pools, so that the jobs of each pool are kept in a queue of their own. */
    default boolean perPool() {
        return false;
    }

    /** When it is to be asked again if it chose none of the jobs that wait and nothing else happens. */
    default Optional<CellTime> again(Standing standing, M memory) {
        return Optional.empty();
    }

    /** One job after another, in that order. */
    static <M> Agenda<M> inOrder(QueueOrder order) {
        return new Agenda<>() {
            @Override
            public List<JobKey> next(Standing standing, M memory) {
                return standing.first().map(Waiting::key).map(List::of).orElse(List.of());
            }

            @Override
            public QueueOrder order() {
                return order;
            }
        };
    }
}
