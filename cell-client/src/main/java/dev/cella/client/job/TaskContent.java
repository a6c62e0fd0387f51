package dev.cella.client.job;

import com.google.protobuf.CodedOutputStream;
import dev.cella.client.proto.Group;
import dev.cella.transactions.model.Digests;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A number for the part of a group's specification that its tasks run. Two generations of a group with the same number have
 * the same tasks: a task of one need not be replaced by one of the other.
 */
public final class TaskContent {
    private TaskContent() {}

    /** Leaves out how many tasks there are, when they start, how they are updated, and what follows their end. */
    public static long of(Group group) {
        Group content = group.toBuilder()
                .clearCount()
                .clearUpdate()
                .clearAfter()
                .clearRestart()
                .clearRunningMax()
                .clearFailuresMax()
                .build();
        byte[] bytes = new byte[content.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            content.writeTo(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        return Digests.of(bytes);
    }
}
