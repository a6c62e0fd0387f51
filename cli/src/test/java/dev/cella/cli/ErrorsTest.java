package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each row of the tables in docs/errors.md beside a {@code cella dev}. The page is the test's data, so its messages are
 * those of the program. {@code -Dtranscripts=rewrite} writes the rows again: read the diff.
 */
@EnabledOnOs(OS.LINUX)
final class ErrorsTest {
    private static final Path PAGE = Path.of("../docs/errors.md");
    private static final Pattern FILE = Pattern.compile("(?m)^(\\S+\\.yaml)\\b.*:\n\n```yaml\n((?:.*\n)*?)```");
    private static final Pattern ROW = Pattern.compile("\\| `(cella|GET|PUT|POST|DELETE)\\b[^`]*`.*");
    private static final Pattern CALL = Pattern.compile("\\| `(GET|PUT|POST|DELETE) ([^\\s`]+)( [^`]*)?`.*");
    private static final String HELLO = """
        name: hello
        type: batch
        groups:
          - count: 3
            resources: {cpuMilli: 10, memoryMib: 16}
            run: {command: [sleep, "1000"]}
        """;

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private static Path home;

    private static DevProcess dev;
    private static HttpServer web;
    private static Map<String, String> names;

    @BeforeAll
    static void beginTheHour() throws Exception {
        Path data = home.resolve("data");
        dev = DevProcess.start(home, "--port", "0", "--data", data.toString());
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("no cell".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            exchange.close();
        });
        web.start();
        names = new LinkedHashMap<>(Map.of(
                "PORT", Integer.toString(dev.port()),
                "PID", Long.toString(dev.processId()),
                "DATA", data.toString(),
                "WEB", Integer.toString(web.getAddress().getPort()),
                "HOST", hostname()));
        writeFiles();
        assertThat(type("job run hello.yaml").code()).isZero();
        awaitRunning();
    }

    private static void writeFiles() throws IOException {
        Matcher files = FILE.matcher(Files.readString(PAGE));
        while (files.find()) {
            Files.writeString(home.resolve(files.group(1)), files.group(2));
        }
        Files.writeString(home.resolve("hello.yaml"), HELLO);
        Files.writeString(home.resolve("empty.yaml"), "");
        identity("blue", "format=1\ncell=blue\nid=9f0b3c1e-58f6-4f0c-9d43-2f4b8d3f6a11\nlog=false\n");
        identity("strange", "hello\n");
    }

    private static void identity(String folder, String text) throws IOException {
        Files.createDirectories(home.resolve(folder));
        Files.writeString(home.resolve(folder).resolve("identity"), text);
    }

    private static void awaitRunning() {
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(
                        () -> assertThat(type("machine status HOST").out()).contains("hello/main/2"));
    }

    @AfterAll
    static void end() throws Exception {
        if (System.getProperty("transcripts", "").equals("rewrite")) {
            rewrite();
        }
        web.stop(0);
        dev.close();
    }

    static List<String> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> ROW.matcher(line).matches())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyRow_isTheAnswer(String row) {
        if (!System.getProperty("transcripts", "").equals("rewrite")) {
            assertThat(answer(row)).isEqualTo(row);
        }
    }

    private static void rewrite() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            lines.add(ROW.matcher(line).matches() ? answer(line) : line);
        }
        Files.write(PAGE, lines);
    }

    /** The row as it would have to be. */
    private static String answer(String row) {
        Matcher call = CALL.matcher(row);
        return call.matches() ? answerToCall(call) : answerToCommand(row);
    }

    private static String answerToCommand(String row) {
        String command = row.substring("| `cella".length(), row.indexOf('`', 3)).strip();
        Answer answer = type(command);
        return row(
                ("cella " + command).strip(),
                cell(answer, "error: "),
                cell(answer, "hint:  "),
                Integer.toString(answer.code()));
    }

    private static String answerToCall(Matcher call) {
        String body = call.group(3) == null ? "" : call.group(3).strip();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + dev.port() + inFact(call.group(2))))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + dev.token())
                .method(call.group(1), HttpRequest.BodyPublishers.ofString(inFact(body)))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            JsonNode problem = new ObjectMapper().readTree(response.body());
            List<String> errors = new ArrayList<>();
            problem.path("errors")
                    .forEach(error -> errors.add((error.path("path").asText() + ": "
                                    + error.path("message").asText())
                            .replaceFirst("^: ", "")));
            return row(
                    (call.group(1) + " " + call.group(2) + " " + body).strip(),
                    code(errors.isEmpty() ? List.of(problem.path("detail").asText()) : errors),
                    code(problem.has("hint") ? List.of(problem.path("hint").asText()) : List.of()),
                    Integer.toString(response.statusCode()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static String row(String... cells) {
        cells[0] = "`" + cells[0] + "`";
        return Stream.of(cells).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String code(List<String> texts) {
        return texts.stream()
                .map(text -> "`" + onThePage(text).replace("|", "\\|") + "`")
                .collect(Collectors.joining("<br>"));
    }

    private static String cell(Answer answer, String head) {
        return code(answer.err()
                .lines()
                .filter(line -> line.startsWith(head))
                .map(line -> line.substring(head.length()))
                .toList());
    }

    /** What a command printed and how it ended, in the page's words. */
    private record Answer(String out, String err, int code) {}

    private static Answer type(String words) {
        String[] arguments = words.isEmpty() ? new String[0] : inFact(words).split(" ");
        Arrays.setAll(arguments, each -> arguments[each].replace("\"\"", ""));
        TypedCommand typed = new TypedCommand(home);
        int code = new CellaCommand(typed.terminal()).run(arguments);
        return new Answer(typed.out(), onThePage(typed.err()), code);
    }

    private static String inFact(String words) {
        String text = words;
        for (Map.Entry<String, String> name : names.entrySet()) {
            text = text.replaceAll("\\b" + name.getKey() + "\\b", Matcher.quoteReplacement(name.getValue()));
        }
        return text;
    }

    private static String onThePage(String said) {
        String text = said;
        for (String name : List.of("DATA", "PORT", "WEB", "PID", "HOST")) {
            text = text.replaceAll("\\b" + Pattern.quote(names.get(name)) + "\\b", name);
            text = name.equals("DATA") ? text.replace(names.get(name), name) : text;
        }
        return text.replace(home + "/", "")
                .replaceAll("(has|with) \\d+(?=$|\\n)", "$1 N")
                .replaceAll("version \\d+", "version N");
    }

    private static String hostname() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().toLowerCase(Locale.ROOT);
    }
}
