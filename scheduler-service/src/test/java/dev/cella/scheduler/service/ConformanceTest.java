package dev.cella.scheduler.service;

import dev.cella.scheduling.conformance.ConformanceKit;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import org.junit.jupiter.api.Test;

/** What every scheduler must keep. */
class ConformanceTest {
    @Test
    void service_conforms() {
        ConformanceKit.of(new ServiceSchedulerProvider())
                .withJobs(ConformanceTest::service)
                .check();
    }

    private static JobHeader service(JobHeader job) {
        return new JobHeader(
                job.name(),
                JobType.SERVICE,
                job.scheduler(),
                job.pool(),
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                job.groups());
    }
}
