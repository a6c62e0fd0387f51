package dev.cella.state.ratis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a majority, in rounds, whether this member still leads. A round confirms every call that came before it began; later
 * calls wait for the next round, which begins when this one ends.
 *
 * <p>A reply counts only if its request was made after the round began. Then the follower knew no newer leader at a moment
 * after the call. (Raft dissertation, section 6.4. Ratis' own read index counts a majority once for each place of the log. In
 * a quiet log, a leader that is cut off would confirm itself.)
 *
 * <p>Guarded by its own monitor, without which it completes its futures.
 *
 * @param <F> a connection to a follower; a connection that is made again is another one
 */
final class ConfirmationRounds<F> {
    private final Supplier<Map<F, Long>> askAll;
    private final Consumer<F> askAgain;
    private final Predicate<Set<F>> isMajority;
    private @Nullable Round<F> running;
    private CompletableFuture<Void> next = new CompletableFuture<>();
    private boolean nextIsWanted;

    /** The connections with the number of the first request to each that counts, and those that replied to one. */
    private record Round<F>(CompletableFuture<Void> done, Map<F, Long> firstRequests, Set<F> confirmedBy) {}

    /**
     * @param askAll makes each connection send a request soon, and returns the number of the next request on each
     * @param askAgain makes one connection send a request soon
     * @param isMajority whether these followers and this member are a majority
     */
    ConfirmationRounds(Supplier<Map<F, Long>> askAll, Consumer<F> askAgain, Predicate<Set<F>> isMajority) {
        this.askAll = askAll;
        this.askAgain = askAgain;
        this.isMajority = isMajority;
    }

    /** Completes when a majority has replied to a request that was made after this call. */
    CompletableFuture<Void> confirm() {
        CompletableFuture<Void> confirmed = wantNext();
        advance();
        return confirmed.copy();
    }

    private synchronized CompletableFuture<Void> wantNext() {
        nextIsWanted = true;
        return next;
    }

    /** That follower has accepted this member as its leader in its reply to the request with that number. */
    void replied(F follower, long request) {
        note(follower, request);
        advance();
    }

    private synchronized void note(F follower, long request) {
        Round<F> round = running;
        if (round == null || !round.firstRequests().containsKey(follower)) {
            return;
        }
        if (request < round.firstRequests().get(follower)) {
            // The connection was about to send this one, and sends no second one for it.
            askAgain.accept(follower);
        } else {
            round.confirmedBy().add(follower);
        }
    }

    /** The running round begins again with the present connections: it would wait for replies on the old ones. */
    void connectionsChanged() {
        beginAgain();
        advance();
    }

    private synchronized void beginAgain() {
        Round<F> round = running;
        if (round != null) {
            running = begun(round.done());
        }
    }

    /** Fewer followers may be a majority now: the running round may wait for one that is none any more. */
    void membersChanged() {
        advance();
    }

    /** Ends the round that a majority has confirmed, and begins the next one if a call waits for it. */
    private void advance() {
        takeConfirmed().forEach(done -> done.complete(null));
    }

    private synchronized List<CompletableFuture<Void>> takeConfirmed() {
        List<CompletableFuture<Void>> confirmed = new ArrayList<>();
        while (running != null || nextIsWanted) {
            Round<F> round = running == null ? beginNext() : running;
            if (!isMajority.test(round.confirmedBy())) {
                break;
            }
            confirmed.add(round.done());
            running = null;
        }
        return confirmed;
    }

    private Round<F> beginNext() {
        Round<F> round = begun(next);
        running = round;
        next = new CompletableFuture<>();
        nextIsWanted = false;
        return round;
    }

    private Round<F> begun(CompletableFuture<Void> done) {
        return new Round<>(done, askAll.get(), new HashSet<>());
    }

    /** This member does not lead any more. */
    void fail() {
        IOException why = new IOException("this member of the log does not lead any more");
        for (CompletableFuture<Void> waiting : takeAll()) {
            waiting.completeExceptionally(why);
        }
    }

    private synchronized Set<CompletableFuture<Void>> takeAll() {
        Set<CompletableFuture<Void>> waiting = new HashSet<>(Set.of(next));
        if (running != null) {
            waiting.add(running.done());
        }
        running = null;
        next = new CompletableFuture<>();
        nextIsWanted = false;
        return waiting;
    }
}
