package dev.cella.state;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A copy of a directory with everything in it. A server may use the directory: files that it removes meanwhile are left out. */
final class TreeCopy extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;

    private TreeCopy(Path from, Path to) {
        this.from = from;
        this.to = to;
    }

    /** @param to does not exist yet */
    static void make(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new TreeCopy(from, to));
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
        Files.createDirectory(to.resolve(from.relativize(directory)));
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        try {
            Files.copy(file, to.resolve(from.relativize(file)));
        } catch (NoSuchFileException failure) {
            return visitFileFailed(file, failure);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException && !file.equals(from)) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }
}
