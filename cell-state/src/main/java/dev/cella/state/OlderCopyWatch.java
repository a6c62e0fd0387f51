package dev.cella.state;

import dev.cella.client.access.Tls;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Departure;
import dev.cella.state.core.Founding;
import dev.cella.state.core.Membership;
import dev.cella.state.core.ReplicatedLog;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.web.service.MemberDoors;
import dev.cella.state.web.service.MemberDoors.Standing;
import dev.cella.state.web.service.MemberDoors.Told;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the other replicas whether this one's directory is an older copy of itself, or is no member any more, until each has
 * answered as one that follows the cell, and the leader as one that has this replica. The replica leaves if one of them knows
 * of a later entry that it had confirmed (ADR 61), or if the leader knows of members without it. A replica that has not joined
 * yet stays, and says in its log what it waits for. This also keeps what the log knows of the others, for them.
 *
 * <p>It has a thread of its own, which ends with {@link #close}.
 */
final class OlderCopyWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OlderCopyWatch.class);

    /** Shorter than the time to the first election, so that an older copy leaves before it can vote in most cases. */
    private static final long TICK_MILLIS = 100;

    /** From then on, a replica that is still away is asked less often, and what is known is kept as often. */
    private static final int TICKS_OF_THE_START = 100;

    private static final long LATER_MILLIS = 10_000;

    /** Between two lines of the log that tell what this replica waits for: ten minutes. */
    private static final int TICKS_BETWEEN_LINES = 60;

    private final DataDirectory directory;
    private final ReplicatedLog log;
    private final Membership membership;
    private final MemberDoors doors;
    private final Departure departure;
    private final Map<String, CompletableFuture<Optional<Told>>> asked = new HashMap<>();
    private final Set<String> answered = new HashSet<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Owned by the thread. */
    private boolean isKept = true;

    /** Written by the thread; empty once the leader has accepted this replica. */
    private volatile Optional<String> waitsFor;

    OlderCopyWatch(
            DataDirectory directory, ReplicatedLog log, Membership membership, Optional<Tls> tls, Departure departure) {
        this.directory = directory;
        this.log = log;
        this.membership = membership;
        this.doors = new MemberDoors(tls);
        this.departure = departure;
        this.waitsFor = FoundingRound.others(directory, membership).isEmpty()
                ? Optional.empty()
                : Optional.of("the leader to say that it is a member; no replica that answers leads");
    }

    void start() {
        Thread thread = new Thread(this::run, "older-copy-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            for (int tick = 0; !closed.await(millisBefore(tick), TimeUnit.MILLISECONDS); tick++) {
                askOthers();
                if (tick == 0 || tick >= TICKS_OF_THE_START) {
                    keepConfirmed();
                }
                if (tick >= TICKS_OF_THE_START && (tick - TICKS_OF_THE_START) % TICKS_BETWEEN_LINES == 0) {
                    sayWhatItWaitsFor();
                }
            }
        } catch (StartRefusedException older) {
            departure.leave(older.getMessage() + "; " + older.hint(), older);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** A failure ends neither the questions to the others nor the next attempt. It is logged once, until an attempt succeeds. */
    private void keepConfirmed() {
        try {
            log.keepConfirmed();
            isKept = true;
        } catch (IOException failure) {
            if (isKept) {
                LOG.warn(
                        "directory={}: cannot keep what the other replicas have confirmed; still trying",
                        directory.path(),
                        failure);
            }
            isKept = false;
        }
    }

    private void sayWhatItWaitsFor() {
        waitsFor.ifPresent(what -> LOG.info("cell={} replica={}: waits for {}", directory.cell(), name(), what));
    }

    /** What this replica waits for before it counts as a member, in words. */
    Optional<String> waitsFor() {
        return waitsFor;
    }

    private static long millisBefore(int tick) {
        return tick < TICKS_OF_THE_START ? TICK_MILLIS : LATER_MILLIS;
    }

    /** Does not wait for an answer, because one that is silent must not delay what another one says. */
    private void askOthers() throws StartRefusedException {
        if (log.leader().filter(name()::equals).isPresent()) {
            waitsFor = Optional.empty();
        }
        Map<String, URI> others = FoundingRound.others(directory, membership);
        for (Map.Entry<String, URI> other : others.entrySet()) {
            if (waitsFor.isPresent() || !answered.contains(other.getKey())) {
                CompletableFuture<Optional<Told>> answer =
                        asked.computeIfAbsent(other.getKey(), name -> doors.ask(other.getValue()));
                if (answer.isDone()) {
                    asked.remove(other.getKey());
                    Optional<Told> told = answer.join();
                    if (told.isPresent()) {
                        take(other.getKey(), told.get());
                    }
                }
            }
        }
        directory.checkReaches(
                confirmedHere(), "start this replica on an empty directory, and replace it (cella cell replace)");
    }

    /**
     * A follower may hear of a change of the members later than this replica. Before this one has joined, the leader alone knows
     * that it may, and forgets that when another one leads.
     */
    private void take(String name, Told told) throws StartRefusedException {
        FoundingRound.confirmedHere(directory, told).ifPresent(entry -> directory.mustReach(name, entry));
        Optional<StartRefusedException> refused = directory.refusedBy(name, told.identity());
        if (refused.isPresent() && FoundingRound.counts(directory, told)) {
            throw refused.get();
        }
        if (refused.isEmpty() && told.standing() != Standing.UNSAID) {
            answered.add(name);
        }
        if (told.standing() == Standing.LEADS) {
            waitsFor = afterLeaderAnswered(name, told, refused.isEmpty());
        }
    }

    /** A leader that adds a replica accepts it before it has joined. If that leader fails first, the next one knows nothing. */
    private Optional<String> afterLeaderAnswered(String leader, Told told, boolean isAccepted) {
        if (!isAccepted) {
            return Optional.of(Founding.untilTaken(name(), leader, told.identity()));
        }
        return directory.identity().mayBeMember()
                ? Optional.empty()
                : Optional.of("the leader " + leader + " to make it a member");
    }

    private String name() {
        return directory.replica(membership);
    }

    private String self() {
        return directory.identity().peerId(name());
    }

    /** Asked after the others have answered, so it includes all that this replica has told them since its start. */
    private long confirmedHere() {
        return log.confirmed().getOrDefault(self(), Long.MAX_VALUE);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
