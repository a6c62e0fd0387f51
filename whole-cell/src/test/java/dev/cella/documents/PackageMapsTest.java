package dev.cella.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each large package has a map in its package-info: one line for each class, and no line for a class that is gone. */
class PackageMapsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int CLASSES_WITHOUT_MAP_MAX = 40;
    private static final String PACKAGE_INFO = "package-info";
    private static final Pattern BLOCK = Pattern.compile("<pre>(.*?)</pre>", Pattern.DOTALL);
    private static final Pattern LINE = Pattern.compile("^ \\* ([A-Z]\\w*) +\\S", Pattern.MULTILINE);

    @TempDir
    Path folder;

    @Test
    void everyLargePackage_hasAMapOfItsClasses() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Map.Entry<Path, Set<String>> each : mainPackages(ROOT).entrySet()) {
            if (each.getValue().size() > CLASSES_WITHOUT_MAP_MAX) {
                faults.addAll(faultsOfMap(each.getKey(), each.getValue()));
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void aMap_thatLacksAClassAndNamesOneThatIsGone_isFound() throws IOException {
        Files.writeString(
                folder.resolve("package-info.java"), "/**\n * <pre>\n * Old  it was here\n * </pre>\n */\npackage p;");

        assertThat(faultsOfMap(folder, Set.of("New")))
                .containsExactly(
                        folder.getFileName() + ": its map has no line for New",
                        folder.getFileName() + ": its map names Old, which is gone");
    }

    private static Map<Path, Set<String>> mainPackages(Path root) throws IOException {
        Map<Path, Set<String>> packages = new TreeMap<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path sources : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                addPackages(sources, packages);
            }
        }
        return packages;
    }

    private static void addPackages(Path sources, Map<Path, Set<String>> packages) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                String name = file.getFileName().toString().replace(".java", "");
                if (!name.equals(PACKAGE_INFO)) {
                    packages.computeIfAbsent(file.getParent(), folder -> new TreeSet<>())
                            .add(name);
                }
            });
        }
    }

    private static List<String> faultsOfMap(Path folder, Set<String> classes) throws IOException {
        Set<String> named = namedByMap(Files.readString(folder.resolve(PACKAGE_INFO + ".java")));
        List<String> faults = new ArrayList<>();
        classes.stream()
                .filter(name -> !named.contains(name))
                .forEach(name -> faults.add(folder.getFileName() + ": its map has no line for " + name));
        named.stream()
                .filter(name -> !classes.contains(name))
                .forEach(name -> faults.add(folder.getFileName() + ": its map names " + name + ", which is gone"));
        return faults;
    }

    private static Set<String> namedByMap(String text) {
        Set<String> named = new TreeSet<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            LINE.matcher(block.group(1)).results().forEach(line -> named.add(line.group(1)));
        }
        return named;
    }
}
