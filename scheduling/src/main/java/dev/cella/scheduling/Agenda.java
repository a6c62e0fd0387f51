package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the next work: a policy, and a pure function. It returns one job, several jobs to plan together, or none, which
 * means to wait.
 *
 * @param <M> the scheduler's memory
 */
@FunctionalInterface
public interface Agenda<M> {
    /** The jobs of the next plan. Jobs that do not wait are ignored. */
    List<JobKey> next(Standing standing, M memory);

    /** The order of {@link Standing}. */
    default QueueOrder order() {
        return QueueOrder.PRIORITY;
    }

    /** Returns whether it reads pools, so that the host keeps a queue for the jobs of each pool. */
    default boolean perPool() {
        return false;
    }

    /**
     * How many sleepers that wait for the same room, in the order of the queue, wait again when a machine gains it: one,
     * where the first in line gets it; more, where the agenda or the plan chooses among them.
     */
    default int wakesMax() {
        return 1;
    }

    /** When to ask it again if it chose none of the waiting jobs and nothing else happens. */
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
