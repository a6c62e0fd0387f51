package dev.cella.transactions.model;

import java.util.Map;

/**
 * The digest of a transaction's request by identities. It covers everything that would make it another transaction.
 */
final class TransactionDigest {
    private final Transaction transaction;

    TransactionDigest(Transaction transaction) {
        this.transaction = transaction;
    }

    long value() {
        return value(transaction.basis().number());
    }

    /** The same for two transactions that ask for the same, whatever their bases are. */
    long content() {
        return value(0);
    }

    private long value(long basis) {
        long digest = Digests.mix(Digests.of(transaction.scheduler()), transaction.sessionVersion());
        digest = Digests.mix(digest, basis);
        digest = Digests.mix(digest, digestModes());
        digest = Digests.mix(digest, transaction.minClaims());
        digest = transaction.flat().digest(digest);
        digest = Digests.mix(digest, digestEvictions());
        digest = Digests.mix(digest, digestHolds());
        return digestScales(Digests.mix(digest, digestSteps()));
    }

    /** Adds nothing for scales and expectations that are not there, so that older digests stay the same. */
    private long digestScales(long seed) {
        long digest = seed;
        for (Scale scale : transaction.scales()) {
            digest = Digests.mix(digest, scale.job().version());
            digest = Digests.mix(digest, (long) scale.group() << 32 | scale.count());
            digest = Digests.mix(digest, scale.generation());
            if (scale.expected().isPresent()) {
                digest = Digests.mix(digest, scale.expected().getAsInt());
            }
        }
        for (Map.Entry<JobId, Progress> said : transaction.progress().entrySet()) {
            digest = Digests.mix(
                    Digests.mix(digest, said.getKey().version()),
                    said.getValue().digest());
        }
        return digestOffers(digest);
    }

    private long digestOffers(long seed) {
        long digest = seed;
        for (OfferId offer : transaction.offers()) {
            digest = Digests.mix(Digests.mix(digest, offer.version()), offer.ordinal());
        }
        for (OfferId offer : transaction.rescinds()) {
            digest = Digests.mix(Digests.mix(digest, -offer.version()), offer.ordinal());
        }
        return transaction.keepsOffers() ? Digests.mix(digest, 1) : digest;
    }

    private long digestModes() {
        return (transaction.atomicity() == Atomicity.INCREMENTAL ? 1 : 0)
                | (transaction.conflictRule() == ConflictRule.RESOURCE ? 2 : 0)
                | (transaction.seesOwn() ? 4 : 0);
    }

    private long digestEvictions() {
        long digest = transaction.evictions().size();
        for (Eviction eviction : transaction.evictions()) {
            digest = Digests.mix(digest, eviction.task().digest());
            digest = Digests.mix(digest, (long) eviction.forClaim().orElse(-1) << 32 | eviction.attempt());
        }
        return digest;
    }

    private long digestHolds() {
        long digest = transaction.holds().size();
        for (HoldRequest hold : transaction.holds()) {
            digest = Digests.mix(digest, hold.isOffer() ? -hold.sessionVersion() : hold.jobVersion());
            digest = Digests.mix(
                    Digests.mix(digest, hold.machine()), hold.amounts().digest());
            digest = Digests.mix(digest, hold.expiresAfterMillis());
        }
        return digest;
    }

    private long digestSteps() {
        long digest = transaction.steps().size();
        for (Step step : transaction.steps()) {
            digest = Digests.mix(digest, step.task().job().version());
            digest = Digests.mix(
                    digest, (long) step.task().group() << 32 | step.task().index());
            digest = Digests.mix(digest, digestOf(step.kind()) << 32 | step.attempt());
        }
        return digest;
    }

    private static long digestOf(Step.Kind kind) {
        return switch (kind) {
            case STOP -> 0;
            case AGAIN -> 1;
            case REPLACE -> 2;
            case UPGRADE -> 3;
            case COPY -> 4;
        };
    }
}
