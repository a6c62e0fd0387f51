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

/** Every relative link of every document has a target, and a link that names a method leads to a file that has it. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)\\s]+)\\)");
    private static final Pattern METHOD = Pattern.compile("`\\w+\\.(\\w+)`");
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    @Test
    void everyLink_leadsToWhatItNames() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents(ROOT)) {
            broken.addAll(brokenLinks(document));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void brokenLinks_ofADocumentWithThem_areFound() throws IOException {
        Files.writeString(folder.resolve("Loop.java"), "class Loop { void turn() {} }");
        Path document = Files.writeString(
                folder.resolve("page.md"),
                "[`Loop.turn`](Loop.java) [`Loop.walk`](Loop.java) [away](nowhere.md) [far](https://example.org/x)");

        assertThat(brokenLinks(document))
                .containsExactly("page.md: Loop.java has no method walk", "page.md: there is no nowhere.md");
    }

    private static List<Path> documents(Path root) throws IOException {
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> brokenLinks(Path document) throws IOException {
        List<String> broken = new ArrayList<>();
        Matcher link = LINK.matcher(Files.readString(document));
        while (link.find()) {
            String target = link.group(2).replaceFirst("#.*", "");
            if (!target.isEmpty() && !target.contains(":")) {
                checkLink(document, link.group(1), target, broken);
            }
        }
        return broken;
    }

    private static void checkLink(Path document, String text, String target, List<String> broken) throws IOException {
        Path file = document.resolveSibling(target).normalize();
        if (!Files.exists(file)) {
            broken.add(document.getFileName() + ": there is no " + target);
            return;
        }
        Matcher method = METHOD.matcher(text);
        if (target.endsWith(".java")
                && method.matches()
                && !Files.readString(file).contains(" " + method.group(1) + "(")) {
            broken.add(document.getFileName() + ": " + target + " has no method " + method.group(1));
        }
    }
}
