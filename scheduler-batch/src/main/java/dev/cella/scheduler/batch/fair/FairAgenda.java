package dev.cella.scheduler.batch.fair;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.PoolStanding;
import dev.cella.scheduling.Standing;
import dev.cella.scheduling.Waiting;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Chooses the first jobs of every pool in which jobs wait: one plan divides what is free among all pools. */
final class FairAgenda implements Agenda<FairMemory> {
    private final int jobsPerPoolMax;

    FairAgenda(int jobsPerPoolMax) {
        this.jobsPerPoolMax = jobsPerPoolMax;
    }

    @Override
    public boolean perPool() {
        return true;
    }

    /** The plan chooses among the jobs of a pool, by what they use or by where their input is. */
    @Override
    public int wakesMax() {
        return jobsPerPoolMax;
    }

    @Override
    public List<JobKey> next(Standing standing, FairMemory memory) {
        List<JobKey> next = new ArrayList<>();
        for (PoolStanding pool : standing.pools()) {
            Iterator<Waiting> jobs = standing.jobs(pool);
            for (int taken = 0; taken < jobsPerPoolMax && jobs.hasNext(); taken++) {
                next.add(jobs.next().key());
            }
        }
        return next;
    }
}
