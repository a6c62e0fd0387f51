package dev.cella.simulator.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The folder of a figure: its table, its charts and its page. */
public final class FigureFolder {
    private final Path folder;

    public FigureFolder(Path folder) {
        this.folder = folder;
    }

    /** Makes the folder, so that a run of minutes does not end where it cannot be. Returns why it cannot be written. */
    public Optional<String> prepare() {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException file) {
            return Optional.of("is a file");
        } catch (IOException impossible) {
            return Optional.of("cannot be made: " + impossible);
        }
        return Files.isWritable(folder) ? Optional.empty() : Optional.of("cannot be written");
    }

    /** Writes texts by their file names, and returns the paths. */
    public List<Path> write(Map<String, String> textsByName) throws IOException {
        Files.createDirectories(folder);
        List<Path> written = new ArrayList<>();
        for (Map.Entry<String, String> each : textsByName.entrySet()) {
            written.add(Files.writeString(folder.resolve(each.getKey()), each.getValue()));
        }
        return written;
    }
}
