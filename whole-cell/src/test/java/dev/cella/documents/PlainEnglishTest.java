package dev.cella.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Comments, messages, test names and pages are plain English: subject, verb, object. The rules find the patterns of a dialect
 * of inverted clauses; they do not prove that a sentence is good.
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
                    "a fragment that begins with 'Whether': write 'Returns whether' or 'True if'",
                    "^Whether\\b(?!.*\\?)"),
            Rule.of(
                    "a phrase of the dialect",
                    "(?i)\\b(whoever|whom|but for|so many|so long as it|hears of|is told of|are told of|as is asked"
                            + "|has it from|is to be|are to be|not any more|it is the turn|what came of|was none"
                            + "|what becomes of|what became of|shall|so much|so often"
                            + "|where nothing is said|save for|anew|is said|are said|it is not said|is heard of"
                            + ")\\b"));

    /** Texts that a contract fixes word by word. */
    private static final List<String> FIXED = List.of("What it says: ");

    @TempDir
    private Path folder;

    @Test
    void comments_messages_testNamesAndPages_arePlainEnglish() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            findings(file).forEach(finding -> found.add(ROOT.relativize(file) + ": " + finding));
        }

        assertThat(found).as("sentences to rewrite, see STYLE").isEmpty();
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
                    say("shows what became of it");
                    say("the reader begins anew");
                }

                /** Whether it waits. */
                boolean waits() {
                    return true;
                }
            }
            """);
        Path page = Files.writeString(
                folder.resolve("page.md"), "# A page\n\nWhat is kept goes there. `Of code` is code.\n");

        assertThat(findings(source)).hasSize(7);
        assertThat(findings(page)).hasSize(1);
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

    private static List<String> findings(Path file) throws IOException {
        List<String> findings = new ArrayList<>();
        for (String sentence : Prose.of(file)) {
            if (FIXED.stream().noneMatch(sentence::startsWith)) {
                RULES.stream()
                        .filter(rule -> rule.pattern.matcher(sentence).find())
                        .findFirst()
                        .ifPresent(rule -> findings.add(rule.name + ": " + sentence));
            }
        }
        return findings;
    }
}
