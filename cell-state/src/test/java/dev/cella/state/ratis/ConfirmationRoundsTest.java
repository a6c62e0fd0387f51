package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** This member leads a log of five, whose followers are a, b, c and d. */
class ConfirmationRoundsTest {
    private final Map<String, Long> nextRequests = new LinkedHashMap<>(Map.of("a", 0L, "b", 0L, "c", 0L, "d", 0L));
    private final List<String> askedAgain = new ArrayList<>();
    private int members = 5;
    private int roundsBegun;
    private final ConfirmationRounds<String> rounds = new ConfirmationRounds<>(
            this::askAll, askedAgain::add, confirmedBy -> 2 * (confirmedBy.size() + 1) > members);

    private Map<String, Long> askAll() {
        roundsBegun++;
        return Map.copyOf(nextRequests);
    }

    /** The follower replies to the next request on its connection. */
    private void reply(String follower) {
        rounds.replied(follower, nextRequests.merge(follower, 1L, Long::sum) - 1);
    }

    @Test
    void majority_thatRepliesToALaterRequest_confirms() {
        CompletableFuture<Void> confirmed = rounds.confirm();
        reply("a");
        reply("a");
        assertThat(confirmed).isNotDone();
        reply("c");
        assertThat(confirmed).isCompleted();
    }

    /** In a quiet log, every reply says the same as the one before. */
    @Test
    void earlierConfirmation_saysNothingOfALaterCall() {
        CompletableFuture<Void> earlier = rounds.confirm();
        reply("a");
        reply("b");
        assertThat(earlier).isCompleted();
        CompletableFuture<Void> later = rounds.confirm();
        assertThat(later).isNotDone();
        reply("a");
        reply("b");
        assertThat(later).isCompleted();
    }

    @Test
    void replyToAnEarlierRequest_doesNotCount_andTheFollowerIsAskedAgain() {
        nextRequests.put("a", 7L);
        nextRequests.put("b", 7L);
        CompletableFuture<Void> confirmed = rounds.confirm();
        rounds.replied("a", 6);
        rounds.replied("b", 6);
        assertThat(confirmed).isNotDone();
        assertThat(askedAgain).containsExactly("a", "b");
        reply("a");
        reply("b");
        assertThat(confirmed).isCompleted();
    }

    @Test
    void callsDuringARound_shareTheNextOne() {
        CompletableFuture<Void> first = rounds.confirm();
        reply("a");
        List<CompletableFuture<Void>> during = List.of(rounds.confirm(), rounds.confirm(), rounds.confirm());
        assertThat(roundsBegun).isEqualTo(1);
        reply("b");
        assertThat(first).isCompleted();
        assertThat(during).noneMatch(CompletableFuture::isDone);
        assertThat(roundsBegun).isEqualTo(2);
        reply("c");
        reply("d");
        assertThat(during).allMatch(CompletableFuture::isDone);
        assertThat(roundsBegun).as("nobody waits for a third").isEqualTo(2);
    }

    @Test
    void callerThatGivesUp_takesNothingFromTheOthers() {
        CompletableFuture<Void> impatient = rounds.confirm();
        impatient.completeExceptionally(new IllegalStateException("too late"));
        CompletableFuture<Void> next = rounds.confirm();
        CompletableFuture<Void> nextToo = rounds.confirm();
        next.cancel(false);
        reply("a");
        reply("b");
        reply("a");
        reply("b");
        assertThat(nextToo).isCompleted();
    }

    /** The numbers of requests begin again on a new connection. */
    @Test
    void connectionMadeAgain_isAskedAgain_andTheOldOneDoesNotCount() {
        nextRequests.put("b", 100L);
        CompletableFuture<Void> confirmed = rounds.confirm();
        nextRequests.remove("b");
        nextRequests.put("b again", 0L);
        rounds.connectionsChanged();
        reply("a");
        rounds.replied("b", 101);
        assertThat(confirmed).isNotDone();
        reply("b again");
        assertThat(confirmed).isCompleted();
    }

    @Test
    void leadLost_failsAllThatWait() {
        CompletableFuture<Void> running = rounds.confirm();
        CompletableFuture<Void> waiting = rounds.confirm();
        rounds.fail();
        for (CompletableFuture<Void> failed : List.of(running, waiting)) {
            assertThatThrownBy(failed::join).hasMessageContaining("does not lead any more");
        }
        CompletableFuture<Void> afterwards = rounds.confirm();
        reply("a");
        reply("b");
        assertThat(afterwards).isCompleted();
    }

    /** The one that is removed may be gone, and never reply. */
    @Test
    void lastFollowerThatIsRemoved_isWaitedForNoLonger() {
        members = 2;
        CompletableFuture<Void> running = rounds.confirm();
        CompletableFuture<Void> waiting = rounds.confirm();
        members = 1;
        rounds.membersChanged();
        assertThat(running).isCompleted();
        assertThat(waiting).isCompleted();
        assertThat(rounds.confirm()).isCompleted();
    }

    @Test
    void lastFollowerThatIsRemoved_replies_andTheNextRoundIsOverAtOnce() {
        members = 2;
        CompletableFuture<Void> running = rounds.confirm();
        CompletableFuture<Void> waiting = rounds.confirm();
        members = 1;
        reply("a");
        assertThat(running).isCompleted();
        assertThat(waiting).isCompleted();
        assertThat(rounds.confirm()).isCompleted();
    }

    @Test
    void memberAlone_confirmsItself() {
        members = 1;
        nextRequests.clear();
        assertThat(rounds.confirm()).isCompleted();
        assertThat(rounds.confirm()).isCompleted();
    }
}
