package dev.cella.state.core;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A replicated log of several members in one thread. It does what real ones do: entries wait before they are committed,
 * members lag, leaders change with entries in flight, answers are lost. Nothing happens without a call.
 */
public final class SimulatedGroup {
    /** An entry that a member has proposed and that may be lost. */
    private static final class Proposal {
        private final Member by;
        private final byte[] bytes;
        private final CompletableFuture<AppliedEntry> answer = new CompletableFuture<>();

        Proposal(Member by, byte[] bytes) {
            this.by = by;
            this.bytes = bytes;
        }
    }

    /** One committed entry; without a proposal it is the log's own. */
    private record Committed(long term, @Nullable Proposal proposal) {}

    private final List<Committed> committed = new ArrayList<>();
    private final Deque<Proposal> proposed = new ArrayDeque<>();
    private final Map<Member, Long> leadsFromIndex = new HashMap<>();
    private long term;
    private @Nullable Member leader;

    Member join(String name) {
        return new Member(name);
    }

    List<byte[]> entries() {
        return committed.stream()
                .map(Committed::proposal)
                .filter(Objects::nonNull)
                .map(proposal -> proposal.bytes)
                .toList();
    }

    Optional<Member> leader() {
        return Optional.ofNullable(leader);
    }

    boolean hasProposals() {
        return !proposed.isEmpty();
    }

    /** Commits the oldest proposed entry. */
    void commitNext() {
        Proposal next = proposed.poll();
        if (next != null) {
            committed.add(new Committed(term, next));
        }
    }

    /**
     * Elects a leader, perhaps the same. The first {@code surviving} uncommitted entries survive, as if a majority happened to
     * have them; no proposer is told which.
     */
    void elect(Member elected, int surviving) {
        for (int kept = 0; kept < surviving && !proposed.isEmpty(); kept++) {
            commitNext();
        }
        List<Proposal> lost = new ArrayList<>(proposed);
        proposed.clear();
        stepDown();
        lost.forEach(proposal -> proposal.answer.completeExceptionally(new IOException("not the leader any more")));
        term++;
        committed.add(new Committed(term, null));
        leader = elected;
        leadsFromIndex.put(elected, (long) committed.size() - 1);
    }

    /** The leader finds that it leads no more, and nobody else does. */
    void stepDown() {
        Member old = leader;
        leader = null;
        if (old != null) {
            leadsFromIndex.remove(old);
            old.failPending();
            old.tellFollowing();
        }
    }

    /** A caller that waits until that many entries have been delivered. */
    private record CatchingUp(int entries, CompletableFuture<Void> caughtUp) {}

    /** One member's end of the log, for one life of a replica. */
    final class Member implements ReplicatedLog {
        private final String name;
        private @Nullable LogListener listener;
        private int delivered;
        private boolean leading;
        private boolean losesNextAnswer;
        private boolean failed;
        private boolean failsToAnswer;
        private boolean closesBadly;
        private final CompletableFuture<Void> transfer = new CompletableFuture<>();
        private final List<CatchingUp> catchingUp = new ArrayList<>();

        Member(String name) {
            this.name = name;
        }

        @Override
        public void start(LogListener told) {
            listener = told;
            delivered = (int) (told.newestCheckpoint().index() + 1);
        }

        boolean isBehind() {
            return delivered < committed.size();
        }

        /**
         * Replaces this member's state with a checkpoint, if the checkpoint is further on. The member continues from there.
         */
        void jumpTo(LogPosition checkpoint, Runnable putInPlace) throws IOException {
            if (listener == null || leader == this || checkpoint.index() < delivered) {
                return;
            }
            listener.checkpointArriving();
            putInPlace.run();
            listener.checkpointArrived();
            delivered = (int) (listener.newestCheckpoint().index() + 1);
        }

        /** The log fails without telling anybody. */
        void failSilently() {
            failed = true;
        }

        /** The next question whether the log is alive fails. */
        void failNextAnswer() {
            failsToAnswer = true;
        }

        void loseNextAnswer() {
            losesNextAnswer = true;
        }

        /** Delivers the next committed entry to the member, if one exists. */
        void deliverNext() {
            if (listener == null || !isBehind()) {
                return;
            }
            Committed next = committed.get(delivered);
            LogPosition position = new LogPosition(next.term, delivered);
            delivered++;
            if (next.proposal == null) {
                listener.passed(position);
            } else {
                answer(next.proposal, listener.committed(position, next.proposal.bytes));
            }
            completeCaughtUp();
            leadIfDue();
        }

        private void answer(Proposal proposal, AppliedEntry applied) {
            if (proposal.by != this) {
                return;
            }
            if (losesNextAnswer) {
                losesNextAnswer = false;
                proposal.answer.completeExceptionally(new IOException("the answer was lost"));
            } else {
                proposal.answer.complete(applied);
            }
        }

        private void leadIfDue() {
            Long from = leadsFromIndex.get(this);
            if (from != null && delivered > from && !leading && listener != null) {
                leading = true;
                listener.leading();
            }
        }

        /**
         * The proposer learns nothing about entries that are committed but not delivered here, because it no longer leads.
         */
        private void failPending() {
            for (Committed entry : committed.subList(delivered, committed.size())) {
                if (entry.proposal != null && entry.proposal.by == this) {
                    entry.proposal.answer.completeExceptionally(new IOException("not the leader any more"));
                }
            }
        }

        private void tellFollowing() {
            if (leading && listener != null) {
                leading = false;
                listener.following();
            }
        }

        @Override
        public CompletableFuture<AppliedEntry> append(byte[] entry) {
            if (leader != this) {
                return CompletableFuture.failedFuture(new IOException("not the leader"));
            }
            Proposal proposal = new Proposal(this, entry);
            proposed.add(proposal);
            return proposal.answer;
        }

        /**
         * What a majority has is known as soon as there is a leader. It becomes visible when it has been delivered.
         */
        @Override
        public CompletableFuture<Void> catchUp() {
            if (leader == null) {
                return CompletableFuture.failedFuture(new IOException("nobody leads"));
            }
            CompletableFuture<Void> caughtUp = new CompletableFuture<>();
            catchingUp.add(new CatchingUp(committed.size(), caughtUp));
            completeCaughtUp();
            return caughtUp;
        }

        private void completeCaughtUp() {
            List<CatchingUp> done = catchingUp.stream()
                    .filter(waiting -> waiting.entries() <= delivered)
                    .toList();
            catchingUp.removeIf(waiting -> waiting.entries() <= delivered);
            done.forEach(waiting -> waiting.caughtUp().complete(null));
        }

        @Override
        public CompletableFuture<Void> transferLead(String id) {
            return transfer;
        }

        /** The other member did not take over in time. */
        void transferFails() {
            transfer.completeExceptionally(new IOException("not in time"));
        }

        @Override
        public LogSyncs syncs() {
            return LogSyncs.NONE;
        }

        @Override
        public Optional<String> leader() {
            return SimulatedGroup.this.leader().map(member -> member.name);
        }

        @Override
        public boolean isAlive() {
            if (failsToAnswer) {
                failsToAnswer = false;
                throw new IllegalStateException("the log does not answer");
            }
            return !failed;
        }

        @Override
        public long entriesBehind() {
            return (long) committed.size() - delivered;
        }

        @Override
        public void close() {
            if (leader == this) {
                proposed.clear();
                leader = null;
                leadsFromIndex.remove(this);
            }
            listener = null;
            if (closesBadly) {
                throw new IllegalStateException("the log does not close");
            }
        }

        /** It closes, and says that it could not. */
        void closesBadly() {
            closesBadly = true;
        }
    }
}
