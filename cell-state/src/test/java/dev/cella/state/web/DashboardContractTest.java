package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.web.RunningCell.Reply;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page at / as a browser gets it. A browser test in the module cli covers what it draws. */
class DashboardContractTest {
    private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"(/dashboard/[^\"]+)\"|from '\\./([^']+)'");

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void everyFileOfThePage_isServedUnderTheSameStrictPolicy() {
        Map<String, Reply> files = page();

        assertThat(files).containsKeys("/", "/dashboard/main.js", "/dashboard/map.js", "/dashboard/dashboard.css");
        files.forEach((path, file) -> {
            assertThat(file.status()).as(path).isEqualTo(200);
            assertThat(file.header("content-security-policy"))
                    .as(path)
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
                    .contains("; form-action 'none'; ")
                    .doesNotContain("unsafe");
            assertThat(file.header("x-content-type-options")).as(path).isEqualTo("nosniff");
        });
    }

    @Test
    void nothingIsInline_andNothingIsOfElsewhere() {
        page().forEach((path, file) -> {
            if (!path.endsWith(".svg")) {
                assertThat(file.body())
                        .as(path)
                        .doesNotContainPattern("https?://|<script>|<style|\\son[a-z]+=|\\sstyle=|innerHTML");
            }
        });
    }

    @Test
    void scripts_haveTheTypeOfScripts() {
        assertThat(CELL.get("/").header("content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(CELL.get("/dashboard/main.js").header("content-type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(CELL.get("/dashboard/dashboard.css").header("content-type")).startsWith("text/css");
    }

    /** The page may run every script of this server, so nothing else may be taken for one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/cell",
                "/v1/machines?format=csv",
                "/v1/tasks/no/such/0:logs",
                "/v1/backup",
                "/openapi.json",
                "/docs",
                "/metrics",
                "/healthz",
                "/login",
                "/nosuch"
            })
    void noAnswer_isTakenForAnotherType(String path) {
        assertThat(CELL.get(path).headers().allValues("x-content-type-options")).containsExactly("nosniff");
    }

    @Test
    void feed_isNotTakenForAnotherType() throws Exception {
        HttpResponse<InputStream> feed = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(CELL.uri("/v1/feed")).build(), BodyHandlers.ofInputStream());
        feed.body().close();
        assertThat(feed.headers().allValues("x-content-type-options")).containsExactly("nosniff");
        assertThat(feed.headers().allValues("cache-control")).containsExactly("no-store");
    }

    /** It is of one moment, and for one caller. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/cell",
                "//v1/cell",
                "/v1/machines?format=csv",
                "/v1/tasks/no/such/0:logs",
                "/v1/backup",
                "/v1/nosuch"
            })
    void answerOfACall_isNotStored(String path) {
        assertThat(CELL.get(path).headers().allValues("cache-control")).containsExactly("no-store");
    }

    @Test
    void aFileThatIsNotOfThePage_isNotThere() {
        CELL.get("/dashboard/nosuch.js").problem(404, "not-found");
    }

    /** The page, the files that it refers to, and so on. */
    private static Map<String, Reply> page() {
        Map<String, Reply> files = new LinkedHashMap<>();
        Deque<String> open = new ArrayDeque<>();
        open.add("/");
        while (!open.isEmpty()) {
            String path = open.remove();
            if (!files.containsKey(path)) {
                Reply file = CELL.get(path);
                files.put(path, file);
                REFERENCE
                        .matcher(file.body())
                        .results()
                        .map(DashboardContractTest::target)
                        .forEach(open::add);
            }
        }
        return files;
    }

    private static String target(MatchResult reference) {
        return reference.group(1) != null ? reference.group(1) : "/dashboard/" + reference.group(2);
    }
}
