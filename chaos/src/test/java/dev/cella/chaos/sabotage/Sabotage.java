package dev.cella.chaos.sabotage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A bug to put into a copy of the sources: a unified diff of one file, after a line that says what is wrong, and one that
 * names the scenario that should find it. A hunk is found by its text, so that it outlives changes elsewhere in the file.
 */
record Sabotage(String name, String what, String scenario, String file, List<Hunk> hunks) {
    private static final String SUFFIX = ".patch";
    private static final String SCENARIO = "Scenario: ";
    private static final String FILE = "+++ b/";

    /** Lines to find, and the lines in place of them. */
    record Hunk(List<String> before, List<String> after) {
        private String appliedTo(String text, String file) {
            String old = String.join("\n", before);
            int at = text.indexOf(old);
            if (at < 0 || text.indexOf(old, at + 1) >= 0) {
                throw new IllegalStateException("these lines are not once in " + file + ":\n" + old);
            }
            return text.substring(0, at) + String.join("\n", after) + text.substring(at + old.length());
        }
    }

    /** All patches of a directory, by name. */
    static List<Sabotage> all(Path directory) throws IOException {
        List<Sabotage> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                all.add(read(file));
            }
        }
        return all;
    }

    private static Sabotage read(Path patch) throws IOException {
        List<String> lines = Files.readAllLines(patch);
        String file = "";
        List<Hunk> hunks = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(FILE)) {
                file = line.substring(FILE.length());
            } else if (line.startsWith("@@")) {
                hunks.add(new Hunk(new ArrayList<>(), new ArrayList<>()));
            } else if (!hunks.isEmpty()) {
                add(line, hunks.get(hunks.size() - 1));
            }
        }
        String name = patch.getFileName().toString();
        return new Sabotage(
                name.substring(0, name.length() - SUFFIX.length()),
                lines.get(0),
                lines.get(1).substring(SCENARIO.length()),
                file,
                hunks);
    }

    private static void add(String line, Hunk to) {
        String text = line.isEmpty() ? "" : line.substring(1);
        if (!line.startsWith("+")) {
            to.before().add(text);
        }
        if (!line.startsWith("-")) {
            to.after().add(text);
        }
    }

    /** The file's text with the bug in it. */
    String appliedTo(Path root) throws IOException {
        String text = Files.readString(root.resolve(file));
        for (Hunk hunk : hunks) {
            text = hunk.appliedTo(text, file);
        }
        return text;
    }

    @Override
    public String toString() {
        return name;
    }
}
