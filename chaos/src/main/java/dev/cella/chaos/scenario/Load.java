package dev.cella.chaos.scenario;

/**
 * What submitters ask of the cell.
 *
 * @param jobs how many jobs are submitted in the run
 * @param tasksMax the most tasks of a job
 * @param runMillis the mean run time of a batch task
 * @param gangsInHundred how many of a hundred jobs are gangs
 * @param servicesInHundred how many of a hundred jobs never end by themselves
 * @param stopsInHundred how many of a hundred jobs are stopped by their owner
 * @param failuresInHundred how many of a hundred attempts fail
 * @param oddInHundred how many of a hundred groups ask for one unit more or less than a round amount, so that machines
 *     miss one unit of what they ask
 */
public record Load(
        int jobs,
        int tasksMax,
        long runMillis,
        int gangsInHundred,
        int servicesInHundred,
        int stopsInHundred,
        int failuresInHundred,
        int oddInHundred) {
    public static final Load USUAL = new Load(60, 12, 2_000, 10, 10, 5, 5, 0);

    public Load withJobs(int number) {
        return new Load(
                number,
                tasksMax,
                runMillis,
                gangsInHundred,
                servicesInHundred,
                stopsInHundred,
                failuresInHundred,
                oddInHundred);
    }
}
