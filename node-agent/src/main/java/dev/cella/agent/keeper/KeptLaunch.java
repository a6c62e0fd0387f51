package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that the keeper needs to start an attempt and to keep it without its agent.
 *
 * @param mark a unique word in the environment of the attempt's processes
 * @param tag the agent's own data about the attempt, returned when it comes back; bytes to the keeper
 * @param endsWithAgent whether the attempt is killed if the cell does not renew the lease of its machine
 * @param inNamespace whether its processes have their own process namespace; the outer ones must not be signalled
 * @param outputFolder the folder of its output and its journal
 * @param group the control groups that limit it, if any
 */
@SuppressWarnings("ArrayRecordComponent") // the tag is opaque, and nobody compares launches
public record KeptLaunch(
        String mark,
        byte[] tag,
        boolean endsWithAgent,
        boolean inNamespace,
        List<String> command,
        Map<String, String> environment,
        Path directory,
        Path work,
        Path outputFolder,
        long streamBytesMax,
        long diskBytesMax,
        Optional<TaskGroup> group) {
    /** No limit for the work directory. */
    public static final long NO_BOUND = Long.MAX_VALUE;

    public KeptLaunch {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(mark);
        out.writeInt(tag.length);
        out.write(tag);
        out.writeBoolean(endsWithAgent);
        out.writeBoolean(inNamespace);
        out.writeInt(command.size());
        for (String argument : command) {
            out.writeUTF(argument);
        }
        out.writeInt(environment.size());
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            out.writeUTF(variable.getKey());
            out.writeUTF(variable.getValue());
        }
        out.writeUTF(directory.toString());
        out.writeUTF(work.toString());
        out.writeUTF(outputFolder.toString());
        out.writeLong(streamBytesMax);
        out.writeLong(diskBytesMax);
        out.writeBoolean(group.isPresent());
        if (group.isPresent()) {
            group.get().write(out);
        }
    }

    static KeptLaunch read(DataInputStream in) throws IOException {
        String mark = in.readUTF();
        byte[] tag = in.readNBytes(in.readInt());
        boolean endsWithAgent = in.readBoolean();
        boolean inNamespace = in.readBoolean();
        String[] command = new String[in.readInt()];
        for (int place = 0; place < command.length; place++) {
            command[place] = in.readUTF();
        }
        Map<String, String> environment = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            environment.put(in.readUTF(), in.readUTF());
        }
        return new KeptLaunch(
                mark,
                tag,
                endsWithAgent,
                inNamespace,
                List.of(command),
                environment,
                Path.of(in.readUTF()),
                Path.of(in.readUTF()),
                Path.of(in.readUTF()),
                in.readLong(),
                in.readLong(),
                in.readBoolean() ? Optional.of(TaskGroup.read(in)) : Optional.empty());
    }
}
