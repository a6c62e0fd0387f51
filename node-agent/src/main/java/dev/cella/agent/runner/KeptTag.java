package dev.cella.agent.runner;

import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.agent.reconciler.HomeTask;
import dev.cella.agent.reconciler.IsolationLevel;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.RunSettings;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an agent needs to know about an attempt of an earlier agent, as the bytes that the keeper stores with it. */
record KeptTag(String machine, Launch launch) {
    private static final int FORMAT = 3;

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeUTF(machine);
            write(launch.assignment(), out);
            write(launch.run(), out);
            write(launch.run().settings(), out);
            writeTexts(launch.members(), out);
            out.writeBoolean(launch.run().settings().cpuQuota());
            out.writeBoolean(launch.run().settings().ownNetwork());
            out.writeBoolean(launch.run().settings().hosts());
            out.writeBoolean(launch.spare());
            writeOptional(launch.run().settings().home().map(HomeTask::text), out);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(Assignment assignment, DataOutputStream out) throws IOException {
        out.writeLong(assignment.placement().version());
        out.writeInt(assignment.placement().ordinal());
        out.writeLong(assignment.task().job().version());
        out.writeInt(assignment.task().group());
        out.writeInt(assignment.task().index());
        out.writeInt(assignment.attempt());
        out.writeInt(assignment.generation());
    }

    private static void write(GroupRun run, DataOutputStream out) throws IOException {
        out.writeUTF(run.job());
        out.writeUTF(run.group());
        writeTexts(run.command(), out);
        writeTexts(run.environment(), out);
        writeOptional(run.directory(), out);
        out.writeLong(run.stopGraceMillis());
    }

    private static void write(RunSettings settings, DataOutputStream out) throws IOException {
        writeOptional(settings.user(), out);
        out.writeUTF(settings.stopSignal());
        out.writeLong(settings.timeoutMillis());
        out.writeUTF(settings.isolation().word());
        writeOptional(settings.image(), out);
        writeNumbers(settings.resources(), out);
        writeNumbers(settings.ports(), out);
        out.writeBoolean(settings.check().isPresent());
        if (settings.check().isPresent()) {
            write(settings.check().get(), out);
        }
        out.writeBoolean(settings.endsWithAgent());
        out.writeBoolean(settings.isService());
    }

    private static void write(HealthCheck check, DataOutputStream out) throws IOException {
        out.writeUTF(check.kind().name());
        writeTexts(check.what(), out);
        out.writeUTF(check.port());
        out.writeLong(check.everyMillis());
        out.writeLong(check.timeoutMillis());
        out.writeInt(check.failuresMax());
    }

    private static void writeTexts(List<String> texts, DataOutputStream out) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            out.writeUTF(text);
        }
    }

    private static void writeTexts(Map<String, String> texts, DataOutputStream out) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<String, String> text : texts.entrySet()) {
            out.writeUTF(text.getKey());
            out.writeUTF(text.getValue());
        }
    }

    private static void writeNumbers(Map<String, Long> numbers, DataOutputStream out) throws IOException {
        out.writeInt(numbers.size());
        for (Map.Entry<String, Long> number : numbers.entrySet()) {
            out.writeUTF(number.getKey());
            out.writeLong(number.getValue());
        }
    }

    private static void writeOptional(Optional<String> text, DataOutputStream out) throws IOException {
        out.writeBoolean(text.isPresent());
        if (text.isPresent()) {
            out.writeUTF(text.get());
        }
    }

    /** Empty if an agent of another release wrote it in another format. Older ones end it before the spare work, or the home. */
    static Optional<KeptTag> read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != FORMAT) {
                return Optional.empty();
            }
            String machine = in.readUTF();
            Assignment assignment = readAssignment(in);
            GroupRun plain = readRun(in);
            RunSettings settings = readSettings(in);
            Map<String, String> members = readTextMap(in);
            settings = settings.with(in.readBoolean(), in.readBoolean(), in.readBoolean());
            boolean spare = in.available() > 0 && in.readBoolean();
            Optional<HomeTask> home = in.available() > 0 ? readOptional(in).flatMap(HomeTask::parse) : Optional.empty();
            GroupRun run = new GroupRun(
                    plain.job(),
                    plain.group(),
                    plain.command(),
                    plain.environment(),
                    plain.directory(),
                    plain.stopGraceMillis(),
                    settings.asAnother(home));
            return Optional.of(new KeptTag(machine, new Launch(assignment, run, members, spare)));
        } catch (IOException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private static Assignment readAssignment(DataInputStream in) throws IOException {
        PlacementId placement = new PlacementId(in.readLong(), in.readInt());
        TaskId task = new TaskId(new JobId(in.readLong()), in.readInt(), in.readInt());
        return new Assignment(placement, task, in.readInt(), in.readInt());
    }

    private static GroupRun readRun(DataInputStream in) throws IOException {
        return new GroupRun(
                in.readUTF(), in.readUTF(), readTexts(in), readTextMap(in), readOptional(in), in.readLong());
    }

    private static RunSettings readSettings(DataInputStream in) throws IOException {
        return new RunSettings(
                readOptional(in),
                in.readUTF(),
                in.readLong(),
                IsolationLevel.of(in.readUTF()),
                readOptional(in),
                readNumbers(in),
                readNumbers(in),
                in.readBoolean() ? Optional.of(readCheck(in)) : Optional.empty(),
                in.readBoolean(),
                in.readBoolean(),
                false,
                false,
                false);
    }

    private static HealthCheck readCheck(DataInputStream in) throws IOException {
        return new HealthCheck(
                HealthCheck.Kind.valueOf(in.readUTF()),
                readTexts(in),
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readInt());
    }

    private static List<String> readTexts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.add(in.readUTF());
        }
        return texts;
    }

    private static Map<String, String> readTextMap(DataInputStream in) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.put(in.readUTF(), in.readUTF());
        }
        return texts;
    }

    private static Map<String, Long> readNumbers(DataInputStream in) throws IOException {
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            numbers.put(in.readUTF(), in.readLong());
        }
        return numbers;
    }

    private static Optional<String> readOptional(DataInputStream in) throws IOException {
        return in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty();
    }
}
