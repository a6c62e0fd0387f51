package dev.cella.cli.plugin;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.FileWords;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.SchedulerApi;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella scheduler new}: writes a Maven project for a scheduler type of the user's own. */
@Command(
        name = "new",
        header = "Writes a project for a scheduler type of your own.",
        description = {
            "",
            "The project has a policy, its provider, tests with the conformance kit, and a job. mvn verify builds it"
                    + " against the Maven repository of this Cella; no sources of Cella are needed.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella scheduler new my-policy",
            "  cella scheduler new my-policy --directory src/my-policy",
            "  cella scheduler new my-policy --repository https://maven.example.com/cella"
        })
public final class SchedulerNewCommand implements Callable<Integer> {
    /** The launchers set it. */
    private static final String REPOSITORY = "cella.maven";

    private final Terminal terminal;
    private final String version;

    @Parameters(paramLabel = "NAME", description = "the name of the type, which a job gives as its scheduler")
    private String name = "";

    @Option(names = "--directory", paramLabel = "DIR", description = "where the project is put (default: NAME)")
    private @Nullable String directory;

    @Option(
            names = "--repository",
            paramLabel = "DIR",
            description = "a Maven repository with Cella's jars, a directory or a URL (default: that of this Cella)")
    private @Nullable String repository;

    public SchedulerNewCommand(Terminal terminal, String version) {
        this.terminal = terminal;
        this.version = version;
    }

    @Override
    public Integer call() {
        PluginNames names = PluginNames.of(name);
        checkFree(names.type());
        PluginProject project = new PluginProject(names, version, SchedulerApi.VERSION, repository());
        String typed = directory == null ? name : directory;
        Path folder = terminal.environment().path(typed);
        try {
            checkEmpty(folder, typed);
            project.write(folder);
        } catch (IOException unwritable) {
            throw CommandFailure.failed(
                    typed + " cannot be written: " + FileWords.reason(unwritable),
                    "--directory names another directory");
        }
        print(typed, project);
        return ExitCode.DONE.number();
    }

    private static void checkFree(String type) {
        if (SchedulerTypes.installed().find(type).isPresent()) {
            throw CommandFailure.usage(
                    "a scheduler of type " + type + " comes with Cella",
                    "take another name; cella scheduler types lists those that are taken");
        }
    }

    private static void checkEmpty(Path folder, String typed) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw CommandFailure.failed(typed + " is a file", "--directory names a directory for the project");
        }
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw CommandFailure.failed(
                            "the directory " + typed + " is not empty",
                            "--directory names another; nothing is overwritten");
                }
            }
        }
    }

    private String repository() {
        String typed = repository == null ? System.getProperty(REPOSITORY) : repository;
        if (typed == null) {
            throw CommandFailure.failed(
                    "this Cella was started without its launcher, and knows no Maven repository with its jars",
                    "--repository DIR names one; the archive of a release has it in its directory maven");
        }
        return typed.contains("://") ? typed : directory(terminal.environment().path(typed));
    }

    private String directory(Path folder) {
        Path needed = folder.resolve("dev/cella/cella-scheduling").resolve(version);
        if (!Files.isDirectory(needed)) {
            throw CommandFailure.failed(
                    folder + " has no cella-scheduling " + version,
                    "--repository DIR names a Maven repository with the jars of this Cella");
        }
        return folder.toUri().toString();
    }

    private void print(String typed, PluginProject project) {
        terminal.print("wrote " + typed + ", a project for the scheduler type " + name);
        terminal.print("  the policy    " + project.planner());
        terminal.print("  its options   " + project.provider());
        terminal.print("  its tests     " + project.test());
        terminal.print("  a job for it  job.yaml");
        terminal.print("next: cd " + typed + " && mvn verify, then cella dev --plugin " + project.jar());
    }
}
