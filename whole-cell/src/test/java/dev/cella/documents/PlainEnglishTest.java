package dev.cella.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Comments, messages, test names and pages are plain English: subject, verb, object. The rules find the patterns of a dialect
 * of inverted clauses; they do not prove that a sentence is good.
 *
 * <p>{@link #NOT_YET_PASSED} lists the parts that were not rewritten yet, with the number of findings that each may have at
 * most. Lower a number when you rewrite sentences, and remove a part when it has none left. No number may grow.
 */
class PlainEnglishTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private record Rule(String name, Pattern pattern) {
        static Rule of(String name, String regex) {
            return new Rule(name, Pattern.compile(regex));
        }
    }

    private static final List<Rule> RULES = List.of(
            Rule.of("begins with 'Of': name the subject first", "^Of (?!course)\\w+"),
            Rule.of(
                    "begins with 'Who' and is no question: name the acting thing",
                    "^(Who|Whoever|Whom|Whose)\\b(?!.*\\?)"),
            Rule.of(
                    "a clause that begins with 'What': name the thing",
                    "^What"
                            + " (is|was|are|were|has|had|it|they|nobody|somebody|came|comes|goes|follows|fails|ran|runs|stays"
                            + "|cannot|can|could|would)\\b(?!.*\\?)"),
            Rule.of(
                    "a phrase of the dialect",
                    "(?i)\\b(whoever|whom|but for|so many|so long as it|hears of|is told of|are told of|as is asked"
                            + "|has it from|is to be|are to be|not any more|it is the turn|what came of|was none"
                            + ")\\b"));

    /** Each part and how many findings it may have. */
    private static final Map<String, Integer> NOT_YET_PASSED = Map.ofEntries(
            Map.entry("CHANGELOG.md", 5),
            Map.entry("bench", 3),
            Map.entry("cell-client", 5),
            Map.entry("cell-state", 0),
            Map.entry("chaos", 20),
            Map.entry("cli", 8),
            Map.entry("docs", 40),
            Map.entry("examples", 2),
            Map.entry("node-agent", 30),
            Map.entry("scheduler-batch", 15),
            Map.entry("scheduler-service", 10),
            Map.entry("scheduling", 120),
            Map.entry("simulator", 40),
            Map.entry("transactions", 0),
            Map.entry("whole-cell", 30));

    /** Texts that a contract fixes word by word. */
    private static final List<String> FIXED = List.of("What it says: ");

    @TempDir
    private Path folder;

    @Test
    void comments_messages_testNamesAndPages_arePlainEnglish() throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        for (Path file : files()) {
            findings(file)
                    .forEach(finding -> found.computeIfAbsent(part(file), first -> new ArrayList<>())
                            .add(finding));
        }

        List<String> tooMany = new ArrayList<>();
        found.forEach((part, findings) -> {
            if (findings.size() > allowed(part)) {
                tooMany.add(part + " may have " + allowed(part) + " and has " + findings.size());
                tooMany.addAll(findings);
            }
        });
        assertThat(tooMany).as("sentences to rewrite, see STYLE").isEmpty();
    }

    @Test
    void findings_ofTheDialect_areReported() throws IOException {
        Path source = Files.writeString(folder.resolve("Planted.java"), """
            /** Of a job that went away it is the turn as it is open now. */
            class Planted {
                // Who asks first hears of it.
                void whatIsAsked_isTold() {
                    say("nothing but for the rest of it");
                }

                /** Returns the open job. Why? What is it? */
                void plain() {
                    say("the job waits for a machine");
                }
            }
            """);
        Path page = Files.writeString(
                folder.resolve("page.md"), "# A page\n\nWhat is kept goes there. `Of code` is code.\n");

        assertThat(findings(source)).hasSize(4);
        assertThat(findings(page)).hasSize(1);
    }

    private static int allowed(String part) {
        return NOT_YET_PASSED.getOrDefault(part, 0);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|md|proto)"))
                    .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?(target|\\.cella|\\.git)/.*"))
                    .filter(file -> !file.endsWith("PlainEnglishTest.java"))
                    .sorted()
                    .toList();
        }
    }

    /** A module, or the name of a page at the root. */
    private static String part(Path file) {
        return ROOT.relativize(file).getName(0).toString();
    }

    private static List<String> findings(Path file) throws IOException {
        List<String> findings = new ArrayList<>();
        for (String sentence : Prose.of(file)) {
            if (FIXED.stream().noneMatch(sentence::startsWith)) {
                RULES.stream()
                        .filter(rule -> rule.pattern.matcher(sentence).find())
                        .findFirst()
                        .ifPresent(rule -> findings.add(file.getFileName() + ": " + rule.name + ": " + sentence));
            }
        }
        return findings;
    }
}
