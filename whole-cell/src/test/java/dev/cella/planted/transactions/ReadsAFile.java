package dev.cella.planted.transactions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

final class ReadsAFile {
    byte[] read(Path file) throws IOException {
        return Files.readAllBytes(file);
    }
}
