package dev.cella.agent.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The configuration of an OCI bundle for one task: the image's root is read-only, the work directory is the task's own, and
 * the task has no capabilities, gains no privileges, and runs under the filter of system calls of isolated tasks. Its /dev has
 * the devices that it was given and those that every program needs. The control groups are those of the caller, unless the
 * program makes its own: then it gets the limits.
 */
final class RuntimeBundle {
    private static final String MOUNTS = """
            {"destination":"/proc","type":"proc","source":"proc"},
            {"destination":"/dev","type":"tmpfs","source":"tmpfs","options":["nosuid","strictatime","mode=755","size=65536k"]},
            {"destination":"/dev/pts","type":"devpts","source":"devpts","options":["nosuid","noexec","newinstance","ptmxmode=0666","mode=0620"]},
            {"destination":"/dev/shm","type":"tmpfs","source":"shm","options":["nosuid","noexec","nodev","mode=1777"]},
            {"destination":"/sys","type":"none","source":"/sys","options":["rbind","nosuid","noexec","nodev","ro"]},
            {"destination":"/tmp","type":"tmpfs","source":"tmpfs","options":["nosuid","nodev","mode=1777"]},
            """;

    private static final String HIDDEN =
            "[\"/proc/kcore\",\"/proc/keys\",\"/proc/timer_list\",\"/proc/sched_debug\",\"/sys/firmware\",\"/sys/fs/cgroup\"]";
    private static final String READ_ONLY =
            "[\"/proc/bus\",\"/proc/fs\",\"/proc/irq\",\"/proc/sys\",\"/proc/sysrq-trigger\"]";

    private RuntimeBundle() {}

    static String json(ImageDriver.Contained task, boolean ownGroups) {
        List<String> namespaces = new ArrayList<>(List.of("pid", "ipc", "uts", "mount"));
        if (task.ownNetwork()) {
            namespaces.add("network");
        }
        List<String> variables = new ArrayList<>();
        task.environment().forEach((name, value) -> variables.add(name + "=" + value));
        String work = quoted(task.work().toString());
        return """
                {"ociVersion":"1.0.2",
                 "process":{"terminal":false,"user":{"uid":%d,"gid":%d},"args":%s,"env":%s,"cwd":%s,
                            "capabilities":{"bounding":[],"effective":[],"inheritable":[],"permitted":[],"ambient":[]},
                            "noNewPrivileges":true},
                 "root":{"path":%s,"readonly":true},
                 "hostname":%s,
                 "mounts":[%s{"destination":%s,"type":"none","source":%s,"options":["bind","rw","nosuid","nodev"]}],
                 "linux":{%s"devices":%s,"namespaces":[%s],"maskedPaths":%s,"readonlyPaths":%s,%s}}
                """.formatted(
                        task.userId(),
                        task.groupId(),
                        list(task.command()),
                        list(variables),
                        quoted(task.directory().toString()),
                        quoted(task.image()),
                        quoted(task.machine()),
                        MOUNTS,
                        work,
                        work,
                        ownGroups ? groups(task) : "",
                        devices(task, RuntimeBundle::made),
                        namespaces.stream()
                                .map(type -> "{\"type\":" + quoted(type) + "}")
                                .collect(Collectors.joining(",")),
                        HIDDEN,
                        READ_ONLY,
                        SeccompFilter.oci());
    }

    /** A device file by its numbers. */
    private record Device(Path file, String type, long major, long minor, ImageDriver.Contained task) {
        private static final int KIND = 0170000;
        private static final int BLOCK = 0060000;

        static Device of(Path file, ImageDriver.Contained task) {
            try {
                Map<String, Object> attributes = Files.readAttributes(file, "unix:mode,rdev");
                long mode = number(attributes, "mode");
                long number = number(attributes, "rdev");
                long major = (number >> 8 & 0xfff) | (number >> 32 & ~0xfff);
                long minor = (number & 0xff) | (number >> 12 & ~0xff);
                return new Device(file, (mode & KIND) == BLOCK ? "b" : "c", major, minor, task);
            } catch (IOException gone) {
                throw new UncheckedIOException("cannot read the device " + file, gone);
            }
        }

        private static long number(Map<String, Object> attributes, String name) {
            return attributes.get(name) instanceof Number number ? number.longValue() : 0;
        }
    }

    private static String devices(ImageDriver.Contained task, Function<Device, String> written) {
        return task.devices().stream()
                .map(file -> written.apply(Device.of(file, task)))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String made(Device device) {
        return "{\"path\":%s,\"type\":\"%s\",\"major\":%d,\"minor\":%d,\"fileMode\":%d,\"uid\":%d,\"gid\":%d}"
                .formatted(
                        quoted(device.file().toString()),
                        device.type(),
                        device.major(),
                        device.minor(),
                        0600,
                        device.task().userId(),
                        device.task().groupId());
    }

    private static String allowed(Device device) {
        return "{\"allow\":true,\"type\":\"%s\",\"major\":%d,\"minor\":%d,\"access\":\"rw\"}"
                .formatted(device.type(), device.major(), device.minor());
    }

    private static String groups(ImageDriver.Contained task) {
        long memoryBytes = task.resources().getOrDefault("memoryMib", 0L) << 20;
        long cpuMilli = task.resources().getOrDefault("cpuMilli", 0L);
        String memory = memoryBytes == 0 ? "" : "\"memory\":{\"limit\":" + memoryBytes + "},";
        String cpu = cpuMilli == 0 ? "" : "\"cpu\":{" + cpu(cpuMilli, task) + "},";
        return "\"cgroupsPath\":" + quoted(ControlGroups.pathOfImage(task.mark())) + ",\"resources\":{" + memory + cpu
                + "\"pids\":{\"limit\":" + ControlGroups.PROCESSES_MAX + "},\"devices\":"
                + devices(task, RuntimeBundle::allowed) + "},";
    }

    private static String cpu(long cpuMilli, ImageDriver.Contained task) {
        String shares = "\"shares\":" + ControlGroups.shares(cpuMilli, task.spare());
        return task.cpuQuota()
                ? shares + ",\"quota\":" + ControlGroups.quotaMicros(cpuMilli) + ",\"period\":"
                        + ControlGroups.QUOTA_PERIOD_MICROS
                : shares;
    }

    private static String list(List<String> texts) {
        return texts.stream().map(RuntimeBundle::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ') {
                quoted.append("\\u%04x".formatted(c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
