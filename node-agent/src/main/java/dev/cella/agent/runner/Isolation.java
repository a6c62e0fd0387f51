package dev.cella.agent.runner;

import dev.cella.agent.keeper.TaskGroup;
import dev.cella.agent.reconciler.IsolationLevel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Isolates tasks from the rest of their machine: the levels that this machine and this process allow, and the command that
 * starts a task at a level. It uses the programs of util-linux, which every Linux has; see ADR 27.
 *
 * @param dropsBounds whether the bounding set can be emptied, which needs root
 * @param user the user of tasks, if it is not the agent's
 * @param groups the control groups that limit tasks, if they can be made
 * @param seccomp the filter of system calls for isolated tasks, if this machine can load it
 * @param images the machine's program that runs images, if it has one
 * @param why the machine does not isolate more; empty if it isolates fully
 */
public record Isolation(
        Path setsid,
        Path setpriv,
        boolean dropsBounds,
        Optional<TaskUser> user,
        Optional<ControlGroups> groups,
        Optional<SeccompFilter> seccomp,
        Optional<ImageDriver> images,
        IsolationLevel level,
        String why) {
    private static final String NOBODY = "nobody";
    private static final int ROOT = 0;
    private static final String ENV = "/usr/bin/env";
    private static final String HANDED = "CELLA_V";
    private static final long BLOCKS_A_MIB = 2_048;

    /** A file may be that much larger than the task's whole disk, so that it is seen to have exceeded it. */
    private static final long FILE_BEYOND_MIB = 1;

    private static final long TRIAL_SECONDS = 20;

    /** Its last line becomes a part of an attribute of the machine. */
    private static final int ERROR_BYTES_MAX = 1_024;

    /** Has {@code /tmp/work} in a memory of its own, and becomes the command. */
    private static final String IN_MEMORY = "mount -n -t tmpfs tmpfs /tmp && mkdir /tmp/work && exec \"$@\"";

    /** Becomes the command, which the kernel ends first when memory runs out. */
    private static final String STAND_BACK = "echo 1000 > /proc/self/oom_score_adj; exec \"$@\"";

    /**
     * Joins the control groups named before --, limits open files to the word after it and, unless the next is a dash, a
     * file's size to that many blocks of 512 bytes. Then becomes the command. It does this itself, because a program for each
     * step would be loaded for each task.
     */
    private static final String JOIN = """
            while [ "$1" != -- ]; do echo $$ > "$1" || exit 126; shift; done; shift
            ulimit -c 0 && ulimit -n "$1" && { [ "$2" = - ] || ulimit -f "$2"; } || exit 126
            shift 2
            exec "$@\"""";

    /**
     * Runs as the first process of its namespaces, as root in them. It makes everything but the work directory read-only,
     * gives the task its own /tmp, a /dev with the task's devices alone, and hides what is not for it. Then it runs the
     * command and ends as the command ends. A signal that comes before the command ends it. It catches those for the command
     * and does nothing, because the first process does not die of them anyway.
     */
    private static final String ISOLATE = """
            set -e
            trap 'exit 143' TERM HUP INT QUIT USR1 USR2
            host=$1 work=$2 directory=$3 owner=$4; shift 4
            mount -n --make-rprivate /
            while read -r _ _ _ _ point options _; do
              case "$point" in /proc|/proc/*|/dev|/dev/*|/sys|/sys/*) continue;; esac
              case ",$options," in *,ro,*) continue;; esac
              point=$(printf '%b' "$point")
              mount -n -o "remount,bind,ro${options#rw}" "$point"
            done < /proc/self/mountinfo
            cd "$work"
            mount -n -t tmpfs -o mode=1777,nosuid,nodev tmpfs /tmp
            mkdir /tmp/.work /tmp/.dev
            mount -n -c --bind . /tmp/.work
            mount -n -o remount,bind,rw,nosuid,nodev /tmp/.work
            mount -n -t tmpfs -o mode=1777,nosuid,nodev tmpfs /var/tmp
            mount -n -t tmpfs -o mode=0755,nosuid,noexec tmpfs /tmp/.dev
            cd /dev
            bind() { mkdir -p "/tmp/.dev/$1"; rmdir "/tmp/.dev/$1"; : > "/tmp/.dev/$1"; mount -n --bind "$1" "/tmp/.dev/$1"; }
            if ! cp -a null zero full random urandom tty fd stdin stdout stderr /tmp/.dev 2>/dev/null; then
              rm -f /tmp/.dev/*
              for device in null zero full random urandom tty; do bind $device; done
              ln -s /proc/self/fd /tmp/.dev/fd
            fi
            while [ "$1" != -- ]; do
              device=${1#/dev/}; shift
              if cp -a --parents "$device" /tmp/.dev 2>/dev/null; then
                chown "$owner" "/tmp/.dev/$device"; chmod 0600 "/tmp/.dev/$device"
              else
                bind "$device"
              fi
            done; shift
            mkdir /tmp/.dev/pts /tmp/.dev/shm
            mount -n -t devpts -o newinstance,nosuid,noexec,ptmxmode=0666,mode=0620 devpts /tmp/.dev/pts
            ln -s pts/ptmx /tmp/.dev/ptmx
            mount -n -t tmpfs -o mode=1777,nosuid,nodev tmpfs /tmp/.dev/shm
            mount -n --move /tmp/.dev /dev
            while [ "$1" != -- ]; do
              if [ -d "$1" ]; then mount -n -t tmpfs -o mode=0711,nosuid,nodev tmpfs "$1"; fi; shift
            done; shift
            mkdir -p "$work"
            mount -n --move /tmp/.work "$work"
            rmdir /tmp/.work /tmp/.dev
            { echo "$host" > /proc/sys/kernel/hostname || hostname "$host" || :; } 2>/dev/null
            ip link set lo up 2>/dev/null || :
            cd "$directory"
            trap : TERM HUP INT QUIT USR1 USR2 ALRM
            set +e
            "$@"
            exit $?""";

    /**
     * The levels that this machine and this process allow. Root runs tasks as nobody unless a user is named; any other user
     * can only run them as itself.
     */
    public static Isolation detect(Optional<String> taskUser) throws IOException, InterruptedException {
        Path setsid = Programs.require("setsid");
        Path setpriv = Programs.require("setpriv");
        requireEnv();
        boolean isRoot = TaskUser.ownUserId() == ROOT;
        if (!isRoot) {
            refuseOther(taskUser);
        }
        Optional<TaskUser> user = isRoot
                ? Optional.of(TaskUser.find(taskUser.orElse(NOBODY))).filter(found -> found.userId() != ROOT)
                : Optional.empty();
        ControlGroups.Found found = ControlGroups.find(Path.of("/"));
        if (found.groups().isEmpty()) {
            return new Isolation(
                    setsid,
                    setpriv,
                    isRoot,
                    user,
                    Optional.empty(),
                    Optional.empty(),
                    isRoot ? ImageDriver.find() : Optional.empty(),
                    IsolationLevel.NONE,
                    found.why());
        }
        String whyNotFull = whyNoNamespaces(isRoot);
        IsolationLevel level = whyNotFull.isEmpty() ? IsolationLevel.FULL : IsolationLevel.LIMITS;
        Optional<SeccompFilter> seccomp = level == IsolationLevel.FULL ? SeccompFilter.find() : Optional.empty();
        Optional<ImageDriver> images = isRoot ? ImageDriver.find() : Optional.empty();
        return new Isolation(setsid, setpriv, isRoot, user, found.groups(), seccomp, images, level, whyNotFull);
    }

    private static void refuseOther(Optional<String> taskUser) throws IOException {
        String own = System.getProperty("user.name");
        if (taskUser.isPresent() && !taskUser.get().equals(own)) {
            throw new IOException("only root can run tasks as " + taskUser.get() + "; this agent runs as " + own);
        }
    }

    /** Isolates a command as a task's, in a folder that is on no disk; empty if that works. */
    private static String whyNoNamespaces(boolean isRoot) throws IOException, InterruptedException {
        Optional<Path> unshare = Programs.findOwn("unshare");
        if (unshare.isEmpty() || Programs.findOwn("mount").isEmpty()) {
            return "the programs unshare and mount (of util-linux) are not on this machine";
        }
        List<String> trial = new ArrayList<>(unshare(unshare.get(), isRoot, false));
        trial.addAll(List.of("/bin/sh", "-c", IN_MEMORY, "cella-trial"));
        trial.addAll(List.of("/bin/sh", "-c", ISOLATE, "cella-isolate", "trial", "/tmp/work", "/tmp/work"));
        trial.addAll(List.of("0:0", "--", "--", "true"));
        return whyNot(new ProcessBuilder(trial))
                .map(why -> "this agent cannot isolate a task (" + why + ")"
                        + (isRoot ? "" : ": allow user namespaces, or run it as root"))
                .orElse("");
    }

    /** The last line of the trial's errors; empty if it succeeds. */
    static Optional<String> whyNot(ProcessBuilder trial) throws IOException, InterruptedException {
        Process process = trial.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        OptionalInt code = exitCode(process);
        if (code.isEmpty()) {
            return Optional.of("it takes too long");
        }
        if (code.getAsInt() == 0) {
            return Optional.empty();
        }
        byte[] errors = process.getErrorStream().readNBytes(ERROR_BYTES_MAX);
        return Optional.of(new String(errors, StandardCharsets.ISO_8859_1)
                .lines()
                .reduce("exit code " + code.getAsInt(), (before, line) -> line));
    }

    /** How the trial exited, if it did in time. */
    private static OptionalInt exitCode(Process trial) throws InterruptedException {
        if (trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)) {
            return OptionalInt.of(trial.exitValue());
        }
        trial.destroyForcibly();
        return OptionalInt.empty();
    }

    /** Other programs of that name do not replace references. A machine that is too busy to say so may have the right one. */
    private static void requireEnv() throws IOException, InterruptedException {
        Map<String, String> variables = Map.of("WORDS", "two words");
        List<String> trial = new ArrayList<>(env(variables, List.of()));
        trial.addAll(List.of("/bin/sh", "-c", "test \"$WORDS\" = 'two words'"));
        ProcessBuilder builder = new ProcessBuilder(trial);
        builder.environment().putAll(handed(variables));
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
        if (exitCode(builder.start()).orElse(0) != 0) {
            throw new IOException("the program " + ENV + " of this machine is not that of GNU coreutils 8.30 or newer");
        }
    }

    /**
     * An ordinary user may make the others in a user namespace. There it is root, and the task seems to be; it has no
     * capabilities there either, and outside it is that user.
     */
    private static List<String> unshare(Path unshare, boolean isRoot, boolean ownNetwork) {
        List<String> command = new ArrayList<>(List.of(unshare.toString()));
        if (!isRoot) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--mount", "--pid", "--ipc", "--uts"));
        if (ownNetwork) {
            command.add("--net");
        }
        command.addAll(List.of("--fork", "--kill-child", "--mount-proc", "--"));
        return command;
    }

    /** One attempt to start. */
    record Start(
            List<String> command,
            Map<String, String> environment,
            IsolationLevel level,
            Optional<TaskUser> user,
            Optional<TaskGroup> group,
            Map<String, Long> resources,
            boolean ownNetwork,
            Path work,
            Path directory,
            String machine,
            List<Path> hidden,
            List<Path> devices) {}

    /**
     * The user's environment under other names, for the environment of the command line. Every user of a machine can read the
     * arguments of a process, and some of these processes live as long as the task. Only its own user can read its environment.
     */
    static Map<String, String> handed(Map<String, String> environment) {
        Map<String, String> handed = new HashMap<>();
        environment.forEach((name, value) -> handed.put(HANDED + handed.size(), name + "=" + value));
        return handed;
    }

    /** Becomes the words after it, with that environment alone, which it takes from {@link #handed}. */
    private static List<String> env(Map<String, String> environment, List<String> options) {
        List<String> env = new ArrayList<>(List.of(ENV, "-i"));
        env.addAll(options);
        env.add("-S");
        env.add(IntStream.range(0, environment.size())
                .mapToObj(number -> "${" + HANDED + number + "}")
                .collect(Collectors.joining(" ", "-- ", "")));
        return env;
    }

    /**
     * The command line to execute, with {@link #handed} in its environment: argument lists throughout, without the user's words
     * in a script. The user's environment comes last, when nothing remains that it could make run as root: a PATH or an
     * LD_PRELOAD.
     */
    List<String> wrap(Start start) {
        List<String> wrapped = new ArrayList<>(List.of(setsid.toString(), "--"));
        if (start.level() == IsolationLevel.FULL) {
            wrapped.addAll(List.of(setpriv.toString(), "--pdeathsig=KILL", "--"));
            addJoin(start, wrapped);
            addNamespaces(start, wrapped);
        } else {
            addJoin(start, wrapped);
        }
        addUnprivileged(start, List.of(), wrapped);
        return wrapped;
    }

    /** The same for a task in an image, which its driver isolates; the driver itself runs as the agent's user. */
    List<String> wrapImage(Start start, List<String> driver) {
        List<String> wrapped = new ArrayList<>(List.of(setsid.toString(), "--"));
        wrapped.addAll(List.of(setpriv.toString(), "--pdeathsig=KILL", "--"));
        addJoin(start, wrapped);
        wrapped.addAll(driver);
        return wrapped;
    }

    /**
     * The same for a command that looks at a running attempt from within: in its groups and, if it is in namespaces, in those
     * of that process.
     */
    List<String> wrapBeside(Start start, long inside) {
        List<String> wrapped = new ArrayList<>();
        addJoin(start, wrapped);
        if (start.level() == IsolationLevel.FULL) {
            wrapped.addAll(List.of("nsenter", "--target", Long.toString(inside)));
            if (!dropsBounds) {
                wrapped.addAll(List.of("--user", "--preserve-credentials"));
            }
            wrapped.addAll(List.of("--mount", "--pid", "--ipc", "--uts"));
            if (start.ownNetwork()) {
                wrapped.add("--net");
            }
            wrapped.add("--");
        }
        addUnprivileged(start, List.of("-C", start.directory().toString()), wrapped);
        return wrapped;
    }

    /** The same for spare work. Without control groups, priorities decide who gets the processor. */
    List<String> standingBack(List<String> wrapped) {
        List<String> behind = new ArrayList<>(List.of("/bin/sh", "-c", STAND_BACK, "cella-spare"));
        if (groups.isEmpty()) {
            behind.addAll(List.of("nice", "-n", "19"));
        }
        behind.addAll(wrapped);
        return behind;
    }

    private static void addJoin(Start start, List<String> wrapped) {
        if (start.group().isPresent()) {
            wrapped.addAll(List.of("/bin/sh", "-c", JOIN, "cella-join"));
            start.group().get().joins().forEach(file -> wrapped.add(file.toString()));
            wrapped.add("--");
            wrapped.add(Long.toString(OwnLimits.FILES));
            Long diskMib = start.resources().get("diskMib");
            wrapped.add(diskMib == null ? "-" : Long.toString((diskMib + FILE_BEYOND_MIB) * BLOCKS_A_MIB));
        }
    }

    private void addUnprivileged(Start start, List<String> envOptions, List<String> wrapped) {
        addSetpriv(start, wrapped);
        if (start.level() == IsolationLevel.FULL) {
            seccomp.ifPresent(filter -> wrapped.addAll(filter.loader()));
        }
        wrapped.addAll(env(start.environment(), envOptions));
        if (start.command().get(0).contains("=")) {
            // It would be one more variable.
            wrapped.addAll(List.of(setpriv.toString(), "--no-new-privs", "--"));
        }
        wrapped.addAll(start.command());
    }

    private void addNamespaces(Start start, List<String> wrapped) {
        wrapped.addAll(unshare(Path.of("unshare"), dropsBounds, start.ownNetwork()));
        wrapped.addAll(List.of("/bin/sh", "-c", ISOLATE, "cella-isolate", start.machine()));
        wrapped.add(start.work().toString());
        wrapped.add(start.directory().toString());
        wrapped.add(
                start.user().map(user -> user.userId() + ":" + user.groupId()).orElse("0:0"));
        start.devices().forEach(path -> wrapped.add(path.toString()));
        wrapped.add("--");
        start.hidden().forEach(path -> wrapped.add(path.toString()));
        wrapped.add("--");
    }

    private void addSetpriv(Start start, List<String> wrapped) {
        Optional<TaskUser> as = start.user();
        wrapped.add(setpriv.toString());
        if (as.isPresent()) {
            wrapped.add("--reuid=" + as.get().userId());
            wrapped.add("--regid=" + as.get().groupId());
            wrapped.add("--clear-groups");
        }
        wrapped.addAll(List.of("--inh-caps=-all", "--no-new-privs"));
        if (dropsBounds || start.level() == IsolationLevel.FULL) {
            wrapped.add("--bounding-set=-all");
        }
        wrapped.addAll(List.of("--pdeathsig=KILL", "--"));
    }

    /** The level that a task gets when it asks for that one. Limits cost almost nothing, so every task has them. */
    IsolationLevel given(IsolationLevel asked) {
        IsolationLevel usual = groups.isPresent() ? IsolationLevel.LIMITS : IsolationLevel.NONE;
        return asked.compareTo(usual) > 0 ? asked : usual;
    }

    /** The name of the machine's program that runs images. */
    public Optional<String> imageProgram() {
        return images.map(driver -> driver.kind().word());
    }

    public String userName() {
        return user.map(TaskUser::name).orElseGet(() -> System.getProperty("user.name"));
    }

    /** The existing paths that a task in namespaces cannot read. */
    static List<Path> hidden(Path dataDirectory) {
        return List.of(dataDirectory.toAbsolutePath().normalize()).stream()
                .filter(Files::isDirectory)
                .toList();
    }

    /** One line, for the person who starts the agent. */
    @Override
    public String toString() {
        return "isolation=" + level.word() + " user=" + userName()
                + switch (level) {
                    case NONE -> ": a task may use more than it asked for and sees the others; " + why;
                    case LIMITS -> ": a task cannot use more than it asked for; not full: " + why;
                    case FULL ->
                        ": a task cannot use more than it asked for; one that asks for isolation full"
                                + " sees nothing of the others";
                };
    }
}
