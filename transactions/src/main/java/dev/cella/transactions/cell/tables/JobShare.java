package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Decides which of a scheduler's open sessions owns a job, by rendezvous hashing: each session draws a number for each job,
 * and the highest wins. So all readers that see the same sessions divide the jobs alike, without communication. A session that
 * comes or goes moves only its own share. The draw uses the instance's name, so an instance that opens a new session gets the
 * same jobs again. Immutable.
 */
public final class JobShare {
    private final List<SessionRow> sessions;
    private final long[] draws;

    private JobShare(List<SessionRow> sessions) {
        this.sessions = sessions;
        this.draws = sessions.stream()
                .mapToLong(session -> Digests.of(session.instance().getBytes(StandardCharsets.UTF_8)))
                .toArray();
    }

    /** The share of each of the scheduler's open sessions. */
    public static JobShare of(Collection<SessionRow> open, String scheduler) {
        return new JobShare(open.stream()
                .filter(session -> session.scheduler().equals(scheduler))
                .toList());
    }

    /** Returns whether the same sessions divide the jobs: then each job has the same owner. */
    public boolean isSameAs(JobShare other) {
        return ids().equals(other.ids()) && Arrays.equals(draws, other.draws);
    }

    private List<SessionId> ids() {
        return sessions.stream().map(SessionRow::id).toList();
    }

    /** The session that owns the job; empty if no session is open. */
    public Optional<SessionId> ownerOf(JobId job) {
        int owner = -1;
        long highest = 0;
        for (int session = 0; session < draws.length; session++) {
            long draw = Digests.mix(draws[session], job.version());
            if (owner < 0 || draw > highest) {
                owner = session;
                highest = draw;
            }
        }
        return owner < 0 ? Optional.empty() : Optional.of(sessions.get(owner).id());
    }
}
