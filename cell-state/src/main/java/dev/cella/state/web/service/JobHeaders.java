package dev.cella.state.web.service;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.util.Durations;
import dev.cella.client.job.PortNames;
import dev.cella.client.proto.Gang;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Converts a job to the cell's form: the header, which decisions read, and the rest as bytes. Both are made from the job with
 * its defaults filled in and always in the same way, so that the same job submitted twice has the same bytes.
 */
final class JobHeaders {
    private JobHeaders() {}

    static JobHeader of(Job job, Dimensions dimensions) {
        return Requests.checked(
                "",
                () -> new JobHeader(
                        job.getName(),
                        WireWords.of(job.getType()),
                        job.getScheduler(),
                        job.getPool(),
                        job.getPriority(),
                        WireWords.of(job.getAtomicity()).orElse(Atomicity.INCREMENTAL),
                        WireWords.of(job.getConflictRule()).orElse(ConflictRule.RESOURCE),
                        IntStream.range(0, job.getGroupsCount())
                                .mapToObj(place -> group("groups[" + place + "]", job.getGroups(place), dimensions))
                                .toList()));
    }

    private static GroupHeader group(String path, Group group, Dimensions dimensions) {
        return new GroupHeader(
                group.getName(),
                group.getCount(),
                amounts(path, group, dimensions),
                restart(group.getRestart()),
                group.getRunningMax(),
                group.getFailuresMax(),
                WireWords.of(group.getOnLost()).orElse(OnLost.REPLACE),
                group.hasGang() ? Optional.of(gang(group.getGang())) : Optional.empty());
    }

    /** The amounts that each task asks for. Ports are members of a dimension. */
    private static Amounts amounts(String path, Group group, Dimensions dimensions) {
        if (group.getPortsCount() == 0) {
            return Requests.amounts(path, dimensions, group.getResourcesMap(), group.getMembersMap());
        }
        if (dimensions.find(PortNames.DIMENSION) < 0) {
            throw Requests.bad(path + ".ports", "no machine of the cell has offered ports yet");
        }
        Map<String, Long> resources = new TreeMap<>(group.getResourcesMap());
        Map<String, String> members = new TreeMap<>(group.getMembersMap());
        long picked = PortNames.picked(group.getPortsMap());
        String said = PortNames.said(group.getPortsMap());
        if (picked > 0) {
            resources.merge(PortNames.DIMENSION, picked, Long::sum);
        }
        if (!said.isEmpty()) {
            members.merge(PortNames.DIMENSION, said, (one, other) -> one + "," + other);
        }
        return Requests.amounts(path, dimensions, resources, members);
    }

    private static Restart restart(dev.cella.client.proto.Restart restart) {
        return new Restart(
                restart.hasAttempts() ? restart.getAttempts() : Restart.UNLIMITED,
                Durations.toMillis(restart.getDelay()),
                Durations.toMillis(restart.getDelayMax()));
    }

    private static dev.cella.transactions.model.Gang gang(Gang gang) {
        return new dev.cella.transactions.model.Gang(
                gang.getMin(),
                Durations.toMillis(gang.getHoldAfter()),
                WireWords.of(gang.getRestart()).orElse(dev.cella.transactions.model.Gang.Restarts.ALL));
    }

    static Specification specification(Job job) {
        byte[] bytes = new byte[job.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            job.writeTo(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        return Specification.of(bytes);
    }
}
