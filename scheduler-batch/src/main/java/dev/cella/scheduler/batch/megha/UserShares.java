package dev.cella.scheduler.batch.megha;

import java.util.Arrays;

/**
 * Each user's share of all workers, and the preemptions that it allows (IV-C). It is asked only when a task finds no free
 * worker: without contention everybody may have everything.
 */
public final class UserShares {
    /** Stands for no user. */
    public static final int NOBODY = -1;

    private final double[] due;

    /** @param shares of each user, in any unit */
    public UserShares(double[] shares, int workers) {
        double all = Arrays.stream(shares).sum();
        if (shares.length == 0 || !(all > 0) || Arrays.stream(shares).anyMatch(each -> !(each >= 0))) {
            throw new IllegalArgumentException(
                    "shares are not negative, and one is above 0: " + Arrays.toString(shares));
        }
        this.due = Arrays.stream(shares).map(share -> share / all * workers).toArray();
    }

    public int users() {
        return due.length;
    }

    /** Returns whether the user has less than it is due. */
    public boolean isBelow(int user, int used) {
        return used < Math.floor(due[user]);
    }

    /** The user that has most above what it is due, or {@link #NOBODY} if none has. */
    public int largestViolator(int[] used) {
        int largest = NOBODY;
        for (int user = 0; user < due.length; user++) {
            boolean violates = used[user] > due[user];
            if (violates && (largest == NOBODY || used[user] - due[user] > used[largest] - due[largest])) {
                largest = user;
            }
        }
        return largest;
    }
}
