package dev.cella.cli.job;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.job.JobRules;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Located;
import dev.cella.client.json.Source;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The FILE of a command: a job in YAML or JSON, or {@code -} for the same on standard input. */
final class JobFile {
    private static final String STANDARD_INPUT = "-";
    private static final String EXAMPLE = "examples/hello.yaml is a small job that is right";

    private JobFile() {}

    /** The job with its defaults filled in, found to be right; all of its faults at once if it is not. */
    static Job read(String file, Terminal terminal) {
        byte[] content = readContent(file, terminal);
        try {
            Located<Job> job = new JsonCodec().readLocated(Job.getDefaultInstance(), Source.file(file, content));
            List<Fault> faults = JobRules.check(job.message());
            if (!faults.isEmpty()) {
                throw new BadInput(job.locate(faults));
            }
            return JobRules.complete(job.message());
        } catch (BadInput bad) {
            throw refuse(file, bad.faults());
        }
    }

    static long tasks(Job complete) {
        return complete.getGroupsList().stream().mapToLong(Group::getCount).sum();
    }

    private static CommandFailure refuse(String file, List<Fault> faults) {
        Optional<String> hint = faults.size() == 1 ? faults.get(0).hint() : Optional.empty();
        return new CommandFailure(
                ExitCode.FAILED,
                faults.stream().map(fault -> describe(file, fault)).toList(),
                hint.orElse(EXAMPLE));
    }

    private static String describe(String file, Fault fault) {
        String place = fault.line() > 0 ? ":" + fault.line() + ":" + fault.column() : "";
        return file + place + ": " + fault.sentence();
    }

    private static byte[] readContent(String file, Terminal terminal) {
        Path path = terminal.environment().path(file);
        try {
            return file.equals(STANDARD_INPUT) ? terminal.in().readAllBytes() : Files.readAllBytes(path);
        } catch (IOException e) {
            throw CommandFailure.failed(
                    file + " cannot be read: " + reason(path, e),
                    "name a job file, or - to read the job from standard input");
        }
    }

    private static String reason(Path path, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        return Files.isDirectory(path) ? "it is a directory" : String.valueOf(failure.getMessage());
    }
}
