package dev.cella.state.web;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.OwnersOnly;
import dev.cella.state.core.Replica;
import dev.cella.state.web.access.Caller;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * {@code GET /v1/backup}: the cell at one version, from any replica. Only operators may have it, because it contains the
 * environment of every job.
 *
 * <p>The backup is first written to a file in the data directory and sent from there. So a slow reader delays nothing and
 * keeps no page of the tables in memory. The file is removed after sending.
 */
final class BackupRoute implements HttpService {
    private static final String PREFIX = "backup-";

    /** The log is on the same disk. If it finds no room, the replica ends. */
    static final long FREE_BYTES_MIN = 512L << 20;

    private static final int BUFFER_BYTES = 1 << 18;

    private final Replica replica;
    private final Path folder;

    /**
     * @param folder for backups that are being sent; files from an earlier process are removed
     */
    BackupRoute(Replica replica, Path folder) {
        this.replica = replica;
        this.folder = folder;
        try {
            DurableFiles.removeTree(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + folder, failure);
        }
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        Caller.current().mustOperate();
        checkHasNoParameters(context);
        context.clearRequestTimeout();
        return HttpResponse.of(CompletableFuture.supplyAsync(this::answer, context.blockingTaskExecutor()));
    }

    /** A follower would pass a linearizable read on to the leader, and so have the whole backup in its memory. */
    private static void checkHasNoParameters(ServiceRequestContext context) {
        List<Fault> faults = context.queryParams().names().stream()
                .map(name -> Fault.of(name, "no such parameter"))
                .toList();
        if (!faults.isEmpty()) {
            throw Problem.badRequest(faults);
        }
    }

    private HttpResponse answer() {
        try {
            OwnersOnly.createDirectories(folder);
            Path file = folder.resolve(PREFIX + UUID.randomUUID());
            write(file, folder.toFile()::getUsableSpace, replica::backup);
            return send(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write a backup in " + folder, failure);
        }
    }

    /** Writes the content of a file. */
    interface Content {
        void write(OutputStream out) throws IOException;
    }

    /** Writes the whole file, or leaves none. */
    static void write(Path file, LongSupplier freeBytes, Content content) throws IOException {
        try (OutputStream out =
                new BufferedOutputStream(new SpaceCheck(Files.newOutputStream(file), freeBytes), BUFFER_BYTES)) {
            content.write(out);
        } catch (IOException | RuntimeException failure) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException another) {
                failure.addSuppressed(another);
            }
            throw failure;
        }
    }

    /** Refuses what would leave too little space. */
    private static final class SpaceCheck extends FilterOutputStream {
        private final LongSupplier freeBytes;

        SpaceCheck(OutputStream file, LongSupplier freeBytes) {
            super(file);
            this.freeBytes = freeBytes;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (freeBytes.getAsLong() - length < FREE_BYTES_MIN) {
                throw Problem.overloaded(
                                "A backup would leave less than %d MiB of this server's disk free, which its log needs"
                                        .formatted(FREE_BYTES_MIN >> 20))
                        .withHint("make room on the disk of its data directory, or ask another replica");
            }
            out.write(bytes, from, length);
        }
    }

    private static HttpResponse send(Path file) throws IOException {
        ResponseHeaders headers = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.OCTET_STREAM)
                .contentLength(Files.size(file))
                .build();
        StreamMessage<HttpData> content = StreamMessage.of(file);
        HttpResponse response = HttpResponse.of(headers, content);
        var unused = response.whenComplete().whenComplete((sent, failure) -> remove(file));
        return response;
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
