package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.model.JobHeader;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One run of a check: a new scheduler, and everything else drawn from the seed.
 *
 * @param jobs the author's changes to the kit's jobs
 */
record Trial(Supplier<Scheduler<?>> scheduler, UnaryOperator<JobHeader> jobs, long seed) {
    SplittableRandom random() {
        return new SplittableRandom(seed);
    }

    /** The scheduler at work on the cell. */
    DrivenScheduler<?> drive(SampleCell cell) {
        return driveWithin(cell, List.of());
    }

    /** The same on the machines that meet the constraints, as with {@code cella scheduler --within}. */
    DrivenScheduler<?> driveWithin(SampleCell cell, List<Constraint> within) {
        return new DrivenScheduler<>(List.of(cell), scheduler.get(), SampleCell.SCHEDULER, seed, within);
    }

    /** A job of this scheduler. */
    JobHeader job(String name, int tasks, long cpuMilli, long memoryMib) {
        return jobs.apply(SampleCell.batch(name, tasks, cpuMilli, memoryMib));
    }

    /** A cell with machines of different sizes, and more jobs than it can hold. */
    SampleCell drawCell(SplittableRandom random) {
        SampleCell cell = SampleCell.of(1 + random.nextInt(4), 16_000, 65_536);
        for (int machine = 0; machine < random.nextInt(8); machine++) {
            cell.machine("small-" + machine, 1_000L * (1 + random.nextInt(8)), 4_096);
        }
        cell.machine("drained", 32_000, 131_072).drain("drained");
        int jobsDrawn = 2 + random.nextInt(4);
        for (int job = 0; job < jobsDrawn; job++) {
            cell.submit(job("job-" + job, 1 + random.nextInt(40), 250L * (1 + random.nextInt(12)), 512));
        }
        cell.submit(job("too-large", 2, 1_000_000, 512));
        return cell;
    }
}
