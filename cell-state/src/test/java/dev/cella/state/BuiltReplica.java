package dev.cella.state;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A replica of one build of the program. A test may run replicas of two builds in one process, each build in a class loader of
 * its own. Only this type and types of the JDK cross from one build to the other, so it never changes.
 */
public interface BuiltReplica extends AutoCloseable {
    /** {@code http://host:port} of its doors. */
    String address();

    /** The version that it shows. */
    long version();

    int featureLevel();

    /** One number of all tables. */
    long digest();

    @Override
    void close() throws IOException;

    /**
     * A row of a cell's members.
     *
     * @param log {@code host:port}
     * @param address {@code http://host:port}
     */
    record Row(String name, String log, String address) {}

    /**
     * What a replica needs to start.
     *
     * @param rows all members; none for a lone replica
     * @param foundingLevel the feature level of a cell that it founds
     * @param departed gets the message and the cause if the replica cannot go on
     */
    record Start(
            Path data,
            String name,
            int port,
            List<Row> rows,
            int foundingLevel,
            BiConsumer<String, Throwable> departed) {}

    /** Starts replicas of its build, and returns when their doors are open. */
    interface Starter {
        BuiltReplica start(Start start) throws Exception;
    }
}
