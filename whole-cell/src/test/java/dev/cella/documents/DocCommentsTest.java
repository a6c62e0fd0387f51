package dev.cella.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two doc comments in a row: the first belongs to nothing. JDK 25 warns of it, so the sources would not compile there. */
class DocCommentsTest {
    private static final Pattern IN_A_ROW = Pattern.compile("\\*/\\s*/\\*\\*");
    private static final List<String> SOURCES = List.of("src/main/java", "src/test/java");

    @TempDir
    Path folder;

    @Test
    void docCommentsOfAllModules_belongToDeclarations() throws IOException {
        assertThat(inARow(Path.of("..").toAbsolutePath().normalize())).isEmpty();
    }

    @Test
    void twoDocCommentsInARow_areFoundWithTheirLine() throws IOException {
        Path sources = Files.createDirectories(folder.resolve("one/src/test/java"));
        Files.writeString(sources.resolve("Row.java"), """
                /** A row. */
                class Row {
                    /** For the method that was moved away. */
                    %s
                    void put() {}
                }
                """.formatted("/** For this one. */"));

        assertThat(inARow(folder)).containsExactly("one/src/test/java/Row.java:3");
    }

    private static List<String> inARow(Path root) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path sources : modules.sorted()
                    .flatMap(module -> SOURCES.stream().map(module::resolve))
                    .filter(Files::isDirectory)
                    .toList()) {
                addAll(root, sources, found);
            }
        }
        return found;
    }

    private static void addAll(Path root, Path sources, List<String> found) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                String text = Files.readString(file);
                Matcher matcher = IN_A_ROW.matcher(text);
                while (matcher.find()) {
                    long line = text.substring(0, matcher.start()).lines().count();
                    found.add(root.relativize(file) + ":" + line);
                }
            }
        }
    }
}
