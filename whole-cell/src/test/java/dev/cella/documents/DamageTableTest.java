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

/** Each row of the table of damage in {@code docs/damage.md} names a test, and the test exists. */
class DamageTableTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
    private static final String HEAD = "| damage | result | test |";

    @Test
    void everyRow_namesATestThatExists() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/damage.md"));
        List<String> rows = page.substring(page.indexOf(HEAD))
                .lines()
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();

        assertThat(rows).hasSizeGreaterThan(30);
        assertThat(faults(rows)).isEmpty();
    }

    @Test
    void rowWithoutATest_andTestsThatAreGone_areFound() throws IOException {
        assertThat(faults(List.of(
                        "| a | b | |",
                        "| c | d | `NoSuchTest.a_b` |",
                        "| e | f | `DamageTableTest.no_such` |",
                        "| g | h | `DamageTableTest.everyRow_namesATestThatExists` |")))
                .containsExactly(
                        "| a | b | | names no test",
                        "there is no NoSuchTest.a_b",
                        "there is no DamageTableTest.no_such");
    }

    private static List<String> faults(List<String> rows) throws IOException {
        List<String> faults = new ArrayList<>();
        for (String row : rows) {
            Matcher test = TEST.matcher(row);
            if (!test.find()) {
                faults.add(row + " names no test");
            }
            for (test.reset(); test.find(); ) {
                if (!exists(test.group(1), test.group(2))) {
                    faults.add("there is no " + test.group(1) + "." + test.group(2));
                }
            }
        }
        return faults;
    }

    private static boolean exists(String testClass, String method) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                if (isIn(tests, testClass, method)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isIn(Path tests, String testClass, String method) throws IOException {
        try (Stream<Path> files = Files.walk(tests)) {
            for (Path file :
                    files.filter(path -> path.endsWith(testClass + ".java")).toList()) {
                if (Files.readString(file).contains("void " + method + "(")) {
                    return true;
                }
            }
        }
        return false;
    }
}
