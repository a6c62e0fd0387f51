package dev.cella.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each top-level class of main code has a simple name of its own, so that a reader who sees the name knows the class. */
class SimpleNamesTest {
    private static final String SUFFIX = ".java";
    private static final List<String> OF_PACKAGES = List.of("package-info.java", "module-info.java");

    @TempDir
    Path folder;

    @Test
    void mainCodeOfAllModules_usesEachSimpleNameOnce() throws IOException {
        assertThat(usedTwice(Path.of("..").toAbsolutePath().normalize())).isEmpty();
    }

    @Test
    void aNameInTwoModules_isFoundWithBothPlaces() throws IOException {
        write("one/src/main/java/a/Row.java");
        write("two/src/main/java/b/Row.java");
        write("two/src/main/java/b/package-info.java");
        write("one/src/main/java/a/package-info.java");
        write("one/src/test/java/a/Column.java");
        write("two/src/main/java/b/Column.java");

        assertThat(usedTwice(folder))
                .containsExactly("Row: [one/src/main/java/a/Row.java, two/src/main/java/b/Row.java]");
    }

    private void write(String file) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.createFile(path);
    }

    private static List<String> usedTwice(Path root) throws IOException {
        List<String> found = new ArrayList<>();
        namedIn(root).forEach((name, files) -> {
            if (files.size() > 1) {
                found.add(name + ": " + files);
            }
        });
        return found;
    }

    private static Map<String, List<Path>> namedIn(Path root) throws IOException {
        Map<String, List<Path>> files = new TreeMap<>();
        for (Path sources : sourcesIn(root)) {
            try (Stream<Path> all = Files.walk(sources)) {
                all.filter(SimpleNamesTest::isClass)
                        .sorted()
                        .forEach(file -> files.computeIfAbsent(
                                        file.getFileName().toString().replace(SUFFIX, ""), name -> new ArrayList<>())
                                .add(root.relativize(file)));
            }
        }
        return files;
    }

    private static List<Path> sourcesIn(Path root) throws IOException {
        try (Stream<Path> modules = Files.list(root)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isClass(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(SUFFIX) && !OF_PACKAGES.contains(name);
    }
}
