package dev.cella.transactions.cell;

import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Which of a scheduler's open sessions a job falls to, by rendezvous hashing: each session draws a number for each job, and
 * the highest wins. So everybody who sees the same sessions divides the jobs alike, without asking; a session that comes
 * or goes moves its own share and no other job. The draw is by the instance's name, so one that opens its session anew has
 * the same jobs again. Immutable.
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

    /** As the sessions of the scheduler divide its jobs. */
    public static JobShare of(Collection<SessionRow> open, String scheduler) {
        return new JobShare(open.stream()
                .filter(session -> session.scheduler().equals(scheduler))
                .toList());
    }

    /** Whose the job is; nobody's where there is no session. */
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
