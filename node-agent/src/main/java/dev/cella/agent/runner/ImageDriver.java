package dev.cella.agent.runner;

import dev.cella.agent.keeper.Folders;
import dev.cella.transactions.model.TaskReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task in an OCI image, with the machine's own program: podman, else crun, else runc. podman fetches images by their
 * references. crun and runc know no registry; they run a root file system that is unpacked on the machine. See ADR 45.
 */
record ImageDriver(Kind kind, Path program) {
    private static final Path HYBRID_CONTROLLERS = Path.of("/sys/fs/cgroup/unified/cgroup.controllers");

    /** A variable that means the same in podman's file: it reads others as comments, or in part. */
    private static final Pattern LINE_OF_PODMAN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*=[^\r\n]*");

    private static final Logger logger = LoggerFactory.getLogger(ImageDriver.class);

    /** The programs, the most able one first. */
    enum Kind {
        PODMAN,
        CRUN,
        RUNC;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One task in an image; the variables and the user are its own. */
    record Contained(
            String image,
            String mark,
            List<String> command,
            Map<String, String> environment,
            int userId,
            int groupId,
            boolean ownNetwork,
            Map<String, Long> resources,
            boolean cpuQuota,
            boolean spare,
            Path work,
            Path directory,
            String machine,
            List<Path> devices) {}

    /** It cannot be told to leave control groups alone. It keeps them until it is told to remove what is left of the task. */
    boolean makesGroups() {
        return kind == Kind.RUNC;
    }

    static Optional<ImageDriver> find() {
        for (Kind kind : Kind.values()) {
            Optional<Path> program = Programs.findOwn(kind.word());
            if (program.isPresent() && (kind == Kind.RUNC || !isHybrid())) {
                return Optional.of(new ImageDriver(kind, program.get()));
            }
        }
        return Optional.empty();
    }

    /** crun, which podman uses too, refuses a machine that has controllers in both versions of control groups. */
    private static boolean isHybrid() {
        try {
            return !Files.readString(HYBRID_CONTROLLERS).isBlank();
        } catch (IOException oneVersion) {
            return false;
        }
    }

    /**
     * The command that runs the task, as a child of the caller and in its control groups.
     *
     * @param bundles where podman finds the task's variables, and crun and runc their configuration, closed to other users
     */
    List<String> command(Contained task, Path bundles) throws NotStartedException {
        try {
            Path bundle = bundles.resolve(task.mark());
            return kind == Kind.PODMAN ? podman(task, bundle) : runtime(task, bundle);
        } catch (IOException failure) {
            throw new NotStartedException(
                    TaskReason.NOT_STARTED, "cannot write the bundle of its image: " + failure.getMessage());
        }
    }

    private List<String> podman(Contained task, Path bundle) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "run",
                "--rm",
                "--name=" + task.mark(),
                "--cgroups=disabled",
                "--log-driver=none",
                "--read-only",
                "--cap-drop=all",
                "--security-opt=no-new-privileges",
                // It would raise both, or fail where the agent may not.
                "--ulimit=nofile=" + OwnLimits.FILES + ":" + OwnLimits.FILES,
                "--ulimit=nproc=" + OwnLimits.PROCESSES + ":" + OwnLimits.PROCESSES,
                "--network=" + (task.ownNetwork() ? "none" : "host"),
                "--user=" + task.userId() + ":" + task.groupId(),
                "--volume=" + task.work() + ":" + task.work(),
                "--workdir=" + task.directory(),
                "--entrypoint="));
        task.devices().forEach(device -> command.add("--device=" + device));
        addVariables(task, bundle, command);
        command.add("--");
        command.add(task.image());
        command.addAll(task.command());
        return command;
    }

    /**
     * A file hides them from other users. It has one line for each, so what does not fit into a line is an argument. podman
     * would take a variable from its own environment too, but it runs as root: a PATH or an LD_PRELOAD must not be there.
     */
    private static void addVariables(Contained task, Path bundle, List<String> command) throws IOException {
        Map<Boolean, List<String>> variables = task.environment().entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .collect(Collectors.partitioningBy(
                        line -> LINE_OF_PODMAN.matcher(line).matches()));
        Path file = Files.createDirectories(bundle).resolve("variables");
        Files.write(file, variables.getOrDefault(true, List.of()));
        command.add("--env-file=" + file);
        variables.getOrDefault(false, List.of()).forEach(variable -> command.add("--env=" + variable));
    }

    private List<String> runtime(Contained task, Path bundle) throws IOException, NotStartedException {
        Path root = Path.of(task.image());
        if (!root.isAbsolute() || !Files.isDirectory(root)) {
            throw new NotStartedException(
                    TaskReason.NOT_STARTED,
                    "this machine runs images with " + kind.word()
                            + ", which fetches none: run.image must be the path of"
                            + " an unpacked root file system on the machine, or podman must be installed there; it is "
                            + task.image());
        }
        refuseMissing(task, new ImageRoot(root));
        Files.createDirectories(bundle);
        Files.writeString(bundle.resolve("config.json"), RuntimeBundle.json(task, makesGroups()));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        if (kind == Kind.CRUN) {
            command.add("--cgroup-manager=disabled");
        }
        command.add("run");
        if (makesGroups()) {
            command.add("--keep");
        }
        command.addAll(List.of("--bundle", bundle.toString(), task.mark()));
        return command;
    }

    /** The program would end with an exit code of its own, as if the task had run. */
    private static void refuseMissing(Contained task, ImageRoot root) throws NotStartedException {
        String program = task.command().get(0);
        String searchPath = task.environment().getOrDefault("PATH", "");
        if (!root.mayHave(program, task.directory(), searchPath, task.work())) {
            throw new NotStartedException(
                    TaskReason.COMMAND_NOT_FOUND, "command not found: " + program + " in the image " + task.image());
        }
    }

    /** Removes what is left of the task: its configuration, and what a killed driver or one that makes groups has kept. */
    void remove(String mark, Path bundles) {
        List<String> command = kind == Kind.PODMAN
                ? List.of(program.toString(), "rm", "--force", "--ignore", mark)
                : List.of(program.toString(), "delete", "--force", mark);
        try {
            Folders.remove(bundles.resolve(mark));
            Process unused = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException failure) {
            logger.warn("mark={} event=image-left", mark, failure);
        }
    }
}
