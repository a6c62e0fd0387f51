package dev.cella.state.core;

/**
 * How a member of the log stands, as the leader sees it.
 *
 * @param entriesBehind so many entries it has not on its disk, as far as it has told
 * @param silentMillis so long it has not been heard of
 */
public record PeerStanding(LogPeer peer, boolean isLeader, long entriesBehind, long silentMillis) {
    private static final long SILENT_MILLIS_MAX = 4_000;

    /** Whether it answers, so that its vote can be counted on. */
    public boolean isHeard() {
        return isLeader || silentMillis < SILENT_MILLIS_MAX;
    }
}
