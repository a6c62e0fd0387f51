package dev.cella.transactions.cell.tables;

import dev.cella.transactions.codec.EntryCodec;

/** The versions of a snapshot's format, and the numbers of its sections. */
public final class SnapshotFormat {
    public static final int MIN = 4;
    public static final int UPDATED_VERSION_FORMAT = 5;
    public static final int POLICY_FORMAT = 6;
    public static final int QUEUES_FORMAT = 7;
    public static final int STOP_GRACE_FORMAT = 8;
    public static final int SPARE_FORMAT = 9;
    public static final int ASKED_COUNT_FORMAT = 10;
    public static final int COPIES_FORMAT = 11;
    public static final int MAX = COPIES_FORMAT;
    public static final int HEAD = 1;
    public static final int MACHINES = 2;
    public static final int POOLS = 3;
    public static final int RIGHTS = 4;
    public static final int PAUSED = 5;
    public static final int JOBS = 6;
    public static final int TASKS = 7;
    public static final int HOLDS = 8;
    public static final int SESSIONS = 9;
    public static final int DIGESTS = 10;
    public static final int HORIZON = 11;
    public static final int OUTCOMES = 12;
    public static final int QUEUES = 13;
    public static final int TOKENS = 60;

    /**
     * The format for a cell of that feature level. A cell without newer features stays readable for older programs.
     */
    public static int of(int featureLevel) {
        if (featureLevel >= EntryCodec.COPIES_LEVEL) {
            return COPIES_FORMAT;
        }
        if (featureLevel >= EntryCodec.ASKED_COUNT_LEVEL) {
            return ASKED_COUNT_FORMAT;
        }
        if (featureLevel >= EntryCodec.SPARE_LEVEL) {
            return SPARE_FORMAT;
        }
        if (featureLevel >= EntryCodec.STOP_GRACE_LEVEL) {
            return STOP_GRACE_FORMAT;
        }
        if (featureLevel >= EntryCodec.QUEUES_LEVEL) {
            return QUEUES_FORMAT;
        }
        if (featureLevel >= EntryCodec.POLICY_LEVEL) {
            return POLICY_FORMAT;
        }
        return featureLevel < EntryCodec.UPDATED_VERSION_LEVEL ? MIN : UPDATED_VERSION_FORMAT;
    }

    private SnapshotFormat() {}
}
