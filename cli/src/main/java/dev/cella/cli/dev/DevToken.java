package dev.cella.cli.dev;

import dev.cella.client.access.CellAccess;
import dev.cella.client.access.TokenSecret;
import dev.cella.state.core.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * The token of a development cell, in a file that only its user can read. Other users of the machine can reach the port but
 * are refused; this user's commands find the file.
 */
record DevToken(Path file, String secret) {
    /** Reads the token of the data directory. Makes one if there is none, or nothing in its file: an empty secret is no secret. */
    static DevToken of(DevOptions options) throws IOException {
        Path file = options.token();
        if (!Files.exists(file) || Files.readString(file).isBlank()) {
            Files.createDirectories(options.data());
            DurableFiles.replace(file, TokenSecret.make(options.name().text(), new SecureRandom()) + "\n");
        }
        return new DevToken(file, Files.readString(file).strip());
    }

    CellAccess access() {
        return CellAccess.ofToken(secret);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "the token in " + file;
    }
}
