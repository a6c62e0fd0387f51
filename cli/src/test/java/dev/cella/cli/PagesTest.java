package dev.cella.cli;

import static dev.cella.cli.ScriptedCell.json;
import static dev.cella.cli.ScriptedCell.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/** Lists of more than one page. */
class PagesTest extends OnAScriptedCell {
    private static final ScriptedCell.Answer GONE = problem("gone", 410, "the list is not kept any more");

    /** Another server answers, which does not keep the list. */
    @Test
    void listWhoseNextPageIsGone_beginsAgain() {
        cell.answer("/v1/jobs", page("jobs", "a"), GONE, page("jobs", "a"), lastPage("jobs", "b"));

        assertThat(run("job", "list", "-o", "name")).as(typed.err()).isZero();
        assertThat(typed.out()).isEqualTo("a\nb\n");
        assertThat(cell.asked().get(2)).isEqualTo(cell.asked().get(0)).doesNotContain("pageToken");
        assertThat(cell.asked().get(3)).contains("pageToken=after-a");
    }

    @Test
    void listWhoseNextPageIsGoneEachTime_isAFailure() {
        cell.answer("/v1/jobs", page("jobs", "a"), GONE, page("jobs", "a"), GONE, page("jobs", "a"), GONE);

        assertThat(run("job", "list")).isEqualTo(1);
        assertThat(typed.err()).startsWith("error: the list is not kept any more\n");
        assertThat(cell.asked()).hasSize(6);
    }

    @Test
    void poolsAndSchedulers_areListedToTheEnd() {
        cell.answer("/v1/pools", page("pools", "a"), lastPage("pools", "b"));
        cell.answer("/v1/schedulers", page("schedulers", "c"), lastPage("schedulers", "d"));

        assertThat(run("pool", "list", "-o", "name")).as(typed.err()).isZero();
        assertThat(run("schedulers", "-o", "name")).as(typed.err()).isZero();
        assertThat(typed.out()).isEqualTo("a\nb\nc\nd\n");
    }

    @Test
    void top_countsAllJobsAtWork() {
        cell.answer("/v1/jobs", page("jobs", "a"), lastPage("jobs", "b"));

        assertThat(run("top", "--times", "1")).as(typed.err()).isZero();
        assertThat(typed.out()).containsPattern("\\na .*\\nb ");
    }

    @Test
    void watchedAudit_showsTheNewestRows() {
        cell.answer(
                "/v1/audit",
                json("{\"audit\": [{\"version\": 11}, {\"version\": 12}]}"),
                json("{\"audit\": [{\"version\": 13}]}"));
        ByteArrayOutputStream firstScreen = new ByteArrayOutputStream();
        OutputStream readOnce = new FilterOutputStream(firstScreen) {
            @Override
            public void flush() throws IOException {
                if (firstScreen.size() > 0) {
                    throw new IOException("Broken pipe");
                }
            }
        };

        assertThat(new CellaCommand(typed.terminal().withOutput(readOnce))
                        .run("audit", "--watch", "--limit", "2", "-o", "json"))
                .as(typed.err())
                .isZero();
        assertThat(firstScreen.toString(UTF_8)).contains("12", "13").doesNotContain("11");
        assertThat(cell.asked()).last().asString().contains("after=12");
    }

    private static ScriptedCell.Answer page(String rows, String name) {
        return json("{\"%s\": [{\"name\": \"%s\"}], \"nextPageToken\": \"after-%s\"}".formatted(rows, name, name));
    }

    private static ScriptedCell.Answer lastPage(String rows, String name) {
        return json("{\"%s\": [{\"name\": \"%s\"}]}".formatted(rows, name));
    }
}
