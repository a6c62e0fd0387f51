package dev.cella.scheduling.loop;

import dev.cella.scheduling.Proposal;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Transaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the jobs of a turn that asked for a proposal. They get its result. */
final class Askers {
    private Askers() {}

    /**
     * The turn's jobs that the transaction names; all of them if it names none, as for an eviction without a claim.
     */
    static List<OpenJob> of(Proposal proposal, List<OpenJob> turn) {
        if (turn.size() == 1) {
            return turn;
        }
        Set<JobId> named = named(proposal.transaction());
        List<OpenJob> askers = turn.stream()
                .filter(job -> job.key().cell() == proposal.cell() && named.contains(job.id))
                .toList();
        return askers.isEmpty() ? turn : askers;
    }

    private static Set<JobId> named(Transaction transaction) {
        Set<JobId> named = new HashSet<>();
        for (int reference = 0; reference < transaction.references(); reference++) {
            named.add(new JobId(transaction.referenceJob(reference)));
        }
        transaction.holds().stream().filter(hold -> !hold.isOffer()).forEach(hold -> named.add(hold.job()));
        transaction.steps().forEach(step -> named.add(step.task().job()));
        transaction.scales().forEach(scale -> named.add(scale.job()));
        named.addAll(transaction.progress().keySet());
        return named;
    }
}
