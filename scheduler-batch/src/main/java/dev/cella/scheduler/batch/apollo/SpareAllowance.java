package dev.cella.scheduler.batch.apollo;

/**
 * How many tasks of a job may run, by its tokens (2.1, 3.5): as many regular tasks as it has tokens, and opportunistic ones up
 * to a multiple of that.
 *
 * @param perToken c: opportunistic tasks for each token
 */
public record SpareAllowance(double perToken) {
    /** The tasks of a job to send or upgrade now. */
    public record Dispatch(int regular, int upgrades, int opportunistic, double weight) {}

    public SpareAllowance {
        if (!(perToken >= 0)) {
            throw new IllegalArgumentException("an allowance is not negative");
        }
    }

    /**
     * Divides the tokens and the allowance. Free tokens send new tasks first, and upgrade opportunistic ones with what is left.
     * The weight makes up for a job that has fewer ready tasks than its allowance.
     *
     * @param tokens n: what the job was given
     * @param regular its regular tasks that are queued or run
     * @param opportunistic its opportunistic tasks that are queued or run
     * @param ready its tasks that were not sent yet
     */
    public Dispatch dispatch(int tokens, int regular, int opportunistic, int ready) {
        int freeTokens = Math.max(0, tokens - regular);
        int newRegular = Math.min(freeTokens, ready);
        int upgrades = Math.min(freeTokens - newRegular, opportunistic);
        int limit = (int) Math.floor(perToken * tokens);
        int room = Math.max(0, limit - (opportunistic - upgrades));
        int newOpportunistic = Math.min(room, ready - newRegular);
        int spare = opportunistic - upgrades + newOpportunistic;
        return new Dispatch(
                newRegular, upgrades, newOpportunistic, spare == 0 ? 1 : Math.max(1, (double) limit / spare));
    }
}
