package dev.cella.simulator.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The folder of a figure: its table, its charts and its page. */
public final class FigureFolder {
    private final Path folder;

    public FigureFolder(Path folder) {
        this.folder = folder;
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
