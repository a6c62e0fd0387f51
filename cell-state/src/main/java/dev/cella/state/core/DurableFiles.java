package dev.cella.state.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes files so that after a power loss either the old or the new file exists, whole. */
public final class DurableFiles {
    /** Writes the text and replaces the file, if it exists. */
    public static void replace(Path file, String text) throws IOException {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
        Path next = directory.resolve(file.getFileName() + ".next");
        write(next, text.getBytes(StandardCharsets.UTF_8));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        sync(directory);
    }

    /** Writes a new file to the disk, not only to the operating system. Only its owner may read it. */
    public static void write(Path file, byte[]... pieces) throws IOException {
        try (FileChannel channel = OwnersOnly.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (byte[] piece : pieces) {
                writeFully(channel, ByteBuffer.wrap(piece));
            }
            channel.force(true);
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Flushes a file's bytes, or a directory's entries, to the disk. */
    public static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Flushes a directory and everything in it to the disk. */
    public static void syncTree(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.toList()) {
                sync(path);
            }
        }
    }

    /**
     * Removes a directory and everything in it, if it exists. Files that others remove at the same time do no harm.
     */
    public static void removeTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private DurableFiles() {}
}
