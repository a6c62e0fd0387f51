package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.client.ProblemType;
import dev.cella.state.web.RunningCell.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code docs/http.md} has every call of the server with all its fields, and its first example works. */
class HttpPageTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static final String PAGE = page();
    private static final Pattern CALL = Pattern.compile("(?m)^\\| `([A-Z]+ /[^`?]*)");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern SUBMITTED = Pattern.compile("(/v1/\\w+) -d '(\\{.*?})'", Pattern.DOTALL);
    private static final Pattern READ = Pattern.compile("(?m)^curl .*(/v1/\\S+)$");

    /** The job and its parts: {@code docs/reference-job.md} has their fields. */
    private static final Set<String> PARTS_OF_A_JOB = Set.of(
            "Affinity",
            "Check",
            "Constraint",
            "Distinct",
            "Gang",
            "Group",
            "Inputs",
            "Job",
            "Locality",
            "Restart",
            "Run",
            "Spread",
            "Together",
            "Update");

    private static String page() {
        try {
            return Files.readString(Path.of("../docs/http.md"));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    @Test
    void page_hasEveryCall_andNoOther() {
        Set<String> described = new TreeSet<>();
        Matcher call = CALL.matcher(PAGE);
        while (call.find()) {
            described.add(call.group(1).strip());
        }
        Set<String> served = new TreeSet<>();
        CELL.get("/docs").body().lines().forEach(line -> served.add(line.replace("=**", "")));
        served.remove("GET /v1/feed");

        assertThat(PAGE).contains("`GET /v1/feed` answers");
        assertThat(described).isEqualTo(served);
    }

    @Test
    void page_namesEveryField() {
        Set<String> words = new TreeSet<>();
        Matcher word = WORD.matcher(PAGE);
        while (word.find()) {
            words.add(word.group());
        }
        Set<String> missing = new TreeSet<>();
        JsonNode api = CELL.get("/openapi.json").json();
        api.at("/components/schemas").properties().forEach(schema -> {
            if (!PARTS_OF_A_JOB.contains(schema.getKey().replace("Request.", ""))) {
                schema.getValue().path("properties").fieldNames().forEachRemaining(field -> {
                    if (!words.contains(field)) {
                        missing.add(schema.getKey() + "." + field);
                    }
                });
            }
        });
        api.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .forEach(operation -> operation.path("parameters").forEach(parameter -> {
                            if (!words.contains(parameter.get("name").asText())) {
                                missing.add(path.getKey() + " "
                                        + parameter.get("name").asText());
                            }
                        })));

        assertThat(missing).isEmpty();
    }

    @Test
    void page_namesEveryErrorWithItsStatus() {
        for (ProblemType type : ProblemType.values()) {
            String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            assertThat(PAGE).contains("| `" + name + "` | " + type.status() + " |");
        }
    }

    @Test
    void theFirstExample_submitsAJobAndReadsIt() {
        Matcher submitted = SUBMITTED.matcher(PAGE);
        Matcher read = READ.matcher(PAGE);
        assertThat(submitted.find()).isTrue();
        assertThat(read.find()).isTrue();

        assertThat(CELL.post(submitted.group(1), submitted.group(2)).status()).isEqualTo(201);
        Reply row = CELL.get(read.group(1));
        assertThat(row.status()).isEqualTo(200);
        assertThat(row.json().at("/tasks/pending").asInt()).isEqualTo(2);
    }
}
