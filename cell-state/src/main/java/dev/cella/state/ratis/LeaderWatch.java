package dev.cella.state.ratis;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a follower notice that the leader's process is gone before the election time-out has passed.
 *
 * <p>A leader that is only slow still accepts connections, even while its process is paused, because the kernel does that. Where
 * no process listens, the kernel refuses them at once. So a leader is dead if its heartbeat is late and it refuses a
 * connection. A machine that is gone or cut off refuses nothing: the time-out notices that, as before.
 *
 * <p>Nothing is asked while heartbeats come. When the leader is dead, the followers ask each other how long their logs are. The
 * one with the longest log stands for election at once, the next ones later, so that they do not split the votes. A follower
 * with a shorter log than another does not stand. It would lose, and after a lost election the time-out decides who stands next
 * (ADR 85).
 *
 * <p>It has a thread of its own, which ends with {@link #close}.
 */
final class LeaderWatch implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(LeaderWatch.class);

    /** {@link Heartbeats} come after a third of the time-out. */
    private static final double LATE = 0.45;

    private static final int LOOKS_A_TIMEOUT = 20;
    private static final int TURNS_A_TIMEOUT = 5;

    /**
     * The leader that a follower follows.
     *
     * @param address where it listens for the other members, {@code host:port}
     * @param silent how long ago it was heard
     */
    record Followed(String id, String address, Duration silent) {}

    /** The member that watches its leader. */
    interface Follower {
        /** Empty if it does not follow anybody. */
        Optional<Followed> leader();

        /**
         * Asks the other followers for the ends of their logs.
         *
         * @param patience how long it waits for them at most
         * @return how many of them stand before this one; empty if one has a longer log
         */
        OptionalInt turn(String deadLeader, Duration patience);

        /** Stands for election, although it cannot know that the time-out has passed. */
        void stand(String deadLeader) throws IOException;
    }

    private final Follower follower;
    private final Duration timeout;
    private final CountDownLatch closed = new CountDownLatch(1);

    LeaderWatch(Follower follower, Duration timeout) {
        this.follower = follower;
        this.timeout = timeout;
    }

    void start() {
        Thread thread = new Thread(this::run, "leader-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed.await(nextLookMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Sleeps until the heartbeat could be late, and looks often only while it is. Often a replica is idle for days. A leader that
     * it does not know yet cannot be late sooner.
     */
    private long nextLookMillis() {
        long often = timeout.toMillis() / LOOKS_A_TIMEOUT;
        long late = (long) (LATE * timeout.toMillis());
        return follower.leader()
                .map(leader -> Math.max(often, late - leader.silent().toMillis()))
                .orElse(late);
    }

    /** Returns whether it stood for election. */
    boolean look() {
        Optional<Followed> late = follower.leader().filter(leader -> isLate(leader, LATE));
        return late.isPresent()
                && refuses(late.get().address(), timeout.dividedBy(TURNS_A_TIMEOUT))
                && isItsTurn(late.get())
                && stand(late.get());
    }

    private boolean isLate(Followed leader, double timeouts) {
        return leader.silent().toMillis() > timeouts * timeout.toMillis();
    }

    private boolean isItsTurn(Followed dead) {
        OptionalInt turn = follower.turn(dead.id(), timeout.dividedBy(TURNS_A_TIMEOUT));
        return turn.isPresent() && isLate(dead, LATE + (double) turn.getAsInt() / TURNS_A_TIMEOUT);
    }

    private boolean stand(Followed dead) {
        logger.info(
                "leader={} event=gone silentMillis={}", dead.id(), dead.silent().toMillis());
        try {
            follower.stand(dead.id());
            return true;
        } catch (IOException notNow) {
            logger.info(
                    "leader={} event=gone cause=\"{}\": the election waits for its time-out",
                    dead.id(),
                    notNow.getMessage());
            return false;
        }
    }

    /** Returns whether no process listens there. */
    static boolean refuses(String address, Duration patience) {
        try (Socket socket = new Socket()) {
            socket.connect(PeerAddress.of(address).resolved(), (int) patience.toMillis());
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
