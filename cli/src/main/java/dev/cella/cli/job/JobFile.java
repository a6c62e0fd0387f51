package dev.cella.cli.job;

import dev.cella.cli.terminal.InputFile;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.job.JobRules;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Located;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import java.util.List;

/** The FILE of a command: a job in YAML or JSON, or {@code -} for standard input. */
final class JobFile {
    private static final String EXAMPLE = "examples/hello.yaml is a small correct job";

    private JobFile() {}

    /** The job with its defaults filled in, if it is valid; otherwise all of its faults at once. */
    static Job read(String file, Terminal terminal) {
        InputFile input = new InputFile(file, "job", EXAMPLE, terminal);
        Located<Job> job = input.read(
                Job.getDefaultInstance(), new JsonCodec().withRules(Job.getDefaultInstance(), JobRules::check));
        List<Fault> faults = JobRules.check(job.message());
        if (!faults.isEmpty()) {
            throw input.refuse(job.locate(faults));
        }
        return JobRules.complete(job.message());
    }

    static long tasks(Job complete) {
        return complete.getGroupsList().stream().mapToLong(Group::getCount).sum();
    }
}
