package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.SessionId;
import java.util.Optional;

/**
 * One open session: the instance of a scheduler that may commit under its number. If it takes part in offers, it may be
 * suppressed: then it wants none for now.
 */
public record SessionRow(
        SessionId id,
        String scheduler,
        String instance,
        String type,
        long leaseMillis,
        long changedVersion,
        Optional<Participation> offers,
        boolean suppressed) {
    /** A session that takes no part in offers. */
    public SessionRow(
            SessionId id, String scheduler, String instance, String type, long leaseMillis, long changedVersion) {
        this(id, scheduler, instance, type, leaseMillis, changedVersion, Optional.empty(), false);
    }

    SessionRow renewed(String asType, long lease, long version) {
        return new SessionRow(id, scheduler, instance, asType, lease, version, offers, suppressed);
    }

    public SessionRow withOffers(Participation participation, boolean isSuppressed, long version) {
        return new SessionRow(
                id, scheduler, instance, type, leaseMillis, version, Optional.of(participation), isSuppressed);
    }
}
