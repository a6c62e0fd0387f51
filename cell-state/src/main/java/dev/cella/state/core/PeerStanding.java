package dev.cella.state.core;

/**
 * The state of a member of the log, as the leader sees it.
 *
 * @param entriesBehind how many entries it does not have on its disk, by its last report
 * @param silentMillis how long the leader has not heard from it
 */
public record PeerStanding(LogPeer peer, boolean isLeader, long entriesBehind, long silentMillis) {
    private static final long SILENT_MILLIS_MAX = 4_000;

    /** Returns whether it answers, so that its vote counts. */
    public boolean isHeard() {
        return isLeader || silentMillis < SILENT_MILLIS_MAX;
    }
}
