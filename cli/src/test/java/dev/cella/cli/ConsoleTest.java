package dev.cella.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.bench.cell.BrowserProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console on a recorded cell: pictures of each view, how it is laid out, how it behaves with 10,000 machines and 100,000
 * rows, and what it says where it can show nothing. {@code -Dpictures=rewrite} stores the pictures' grids again, {@code
 * -Dpictures.folder=DIR} keeps the pictures to be looked at (ADR 50), {@code -Dpictures.of=ADDRESS} makes those of a live cell.
 */
@EnabledOnOs(OS.LINUX)
final class ConsoleTest {
    private static final Path GRIDS = Path.of("src/test/resources/console/pictures.txt");
    private static final int[] WIDTHS = {400, 1024, 1600};
    private static final int HEIGHT = 1400;
    private static final String LIVE = "document.querySelector('#connection').dataset.state";

    private static final String OUR_CLOCK = """
        window.intervals = new Map();
        window.setInterval = act => { intervals.set(intervals.size + 1, act); return intervals.size; };
        window.clearInterval = number => intervals.set(number, () => {});
        window.asked = [];
        window.begun = [];
        window.unanswered = 0;
        const fetched = window.fetch;
        window.fetch = (path, options) => {
          asked.push(path);
          begun.push({path, signal: options?.signal});
          unanswered++;
          return fetched(path, options).finally(() => { unanswered--; });
        };
        """;

    /** Sentences about whatever is outside the page, cut off, or over something else. */
    private static final String FAULTS = """
        (() => {
          const faults = [];
          const said = each => each.tagName.toLowerCase() + ' ' + each.className + ' "' + each.textContent.trim().slice(0, 40) + '"';
          if (document.documentElement.scrollWidth > window.innerWidth) faults.push('the page is wider than its window');
          const own = each => [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
          const scrolls = each => { for (let up = each; up && up !== document.body; up = up.parentElement) {
            if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX)) return true; } return false; };
          for (const each of document.querySelectorAll('header *, nav *, main *')) {
            const box = each.getBoundingClientRect();
            if (!own(each) || box.width === 0 || each.closest('.unseen')) continue;
            if ((box.right > window.innerWidth + 1 || box.left < -1) && !scrolls(each)) faults.push('outside: ' + said(each));
            const style = getComputedStyle(each);
            if (['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis' && each.scrollWidth > each.clientWidth + 1)
              faults.push('cut off: ' + said(each));
          }
          const parts = [...document.querySelectorAll('main section, header > *, nav > a')];
          parts.forEach((one, place) => parts.slice(place + 1).forEach(other => {
            if (one.contains(other) || other.contains(one)) return;
            const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
            if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
              faults.push('over each other: ' + said(one) + ' and ' + said(other));
          }));
          return JSON.stringify(faults.slice(0, 5));
        })()""";

    /** The headings of sections with a table that no program can read. */
    private static final String TABLES_WITHOUT_DATA = """
        JSON.stringify([...document.querySelectorAll('#view section')]
          .filter(each => each.querySelector('table') && !each.querySelector('.data a[href*="format=csv"]'))
          .map(each => each.textContent.slice(0, 40)))""";

    @TempDir
    private Path folder;

    /** All tests use one browser, each in a window of its own. */
    private static @Nullable BrowserProcess process;

    @BeforeAll
    static void startABrowser() throws Exception {
        assumeTrue(Browser.installed().isPresent(), "NO CHROMIUM IS INSTALLED: the console was not looked at");
        process = BrowserProcess.open(Browser.installed().orElseThrow(), Browser.BLANK);
    }

    @AfterAll
    static void endTheBrowser() throws Exception {
        if (process != null) {
            process.close();
        }
    }

    private static Browser open(RecordedConsole console) throws Exception {
        Browser browser = Browser.windowOf(Objects.requireNonNull(process));
        browser.stopTheClock(console.recordedMillis());
        browser.timeZone("UTC");
        browser.open(console.address(), 1024, HEIGHT, "light");
        awaitText(browser, LIVE, "live");
        return browser;
    }

    /** The intervals of this page pass when the test says so, and its requests are counted. */
    private static Browser openWithOurClock(RecordedConsole console) throws Exception {
        Browser browser = begin(console, "");
        awaitText(browser, LIVE, "live");
        return browser;
    }

    private static Browser begin(RecordedConsole console, String fragment) throws Exception {
        Browser browser = Browser.windowOf(Objects.requireNonNull(process));
        browser.stopTheClock(console.recordedMillis());
        browser.runFirst(OUR_CLOCK);
        browser.open(console.address() + fragment, 1024, HEIGHT, "light");
        return browser;
    }

    /** Each view, and what is there once it is drawn. */
    private static Map<String, String> views(UnaryOperator<String> name) {
        Map<String, String> views = new LinkedHashMap<>();
        views.put("#/", "#matrix table");
        views.put("#/conflicts", ".conflicts td");
        views.put("#/conflicts/" + name.apply("version"), ".photo .lane");
        views.put("#/what-if", ".filters select");
        views.put("#/what-if?conflictRule=RESOURCE", "li");
        views.put("#/jobs", ".virtual td a");
        views.put("#/jobs/" + name.apply("job"), ".track");
        views.put("#/tasks?job=" + name.apply("job"), ".virtual td a");
        views.put("#/machines", ".virtual td a");
        views.put("#/machines/" + name.apply("machine"), ".columns table");
        views.put("#/schedulers", "section td a");
        views.put("#/schedulers/" + name.apply("scheduler"), ".columns table");
        views.put("#/pools", "#view section");
        views.put("#/members", "#view td");
        views.put("#/calls", "section td");
        return views;
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES) // fifteen views, each at three widths and in two colours
    void everyView_looksAsStored_andNothingIsCutOffOrCovered() throws Exception {
        Map<String, String> stored = new TreeMap<>();
        if (Files.exists(GRIDS)) {
            Files.readAllLines(GRIDS)
                    .forEach(line ->
                            stored.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
        }
        boolean rewrites = System.getProperty("pictures", "").equals("rewrite");
        Map<String, String> seen = new TreeMap<>();
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            int number = 0;
            for (Map.Entry<String, String> view : views(console::name).entrySet()) {
                show(browser, view.getKey());
                awaitText(browser, "document.querySelector('" + view.getValue() + "') !== null", "true");
                assertThat(browser.evaluate(TABLES_WITHOUT_DATA))
                        .as(view.getKey())
                        .isEqualTo("[]");
                number++;
                for (String colours : List.of("light", "dark")) {
                    for (int width : WIDTHS) {
                        browser.resize(width, HEIGHT, colours);
                        awaitText(browser, FAULTS, "[]");
                        String key = "%02d-%s-%d".formatted(number, colours, width);
                        PictureGrid expected = new PictureGrid(stored.getOrDefault(key, ""));
                        seen.put(key, rewrites ? settled(browser, key).hex() : compared(browser, key, expected));
                    }
                }
            }
            assertThat(browser.complaints()).isEmpty();
        }
        if (rewrites) {
            Files.write(
                    GRIDS,
                    seen.entrySet().stream()
                            .map(each -> each.getKey() + " " + each.getValue())
                            .toList());
        }
    }

    /** Finds a job that waits, a machine, a scheduler and a conflict to show. */
    private static final String NAMES = """
        Promise.all(['jobs?state=PENDING', 'machines?limit=9', 'conflicts/ledger?limit=1'].map(path => fetch('/v1/' + path)
          .then(answer => answer.json()))).then(([{jobs}, {machines}, {conflicts}]) => JSON.stringify({job: jobs[0].name,
            machine: machines.at(-1).name, scheduler: conflicts[0].loser.scheduler, version: conflicts[0].version}))""";

    /**
     * Pictures of an open cell with work, conflicts and a job that waits, for a person to look at: {@code
     * -Dpictures.of=http://127.0.0.1:7070/ -Dpictures.folder=DIR}, with a {@code cella demo --keep}.
     */
    @Test
    @EnabledIfSystemProperty(named = "pictures.of", matches = ".+")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void everyViewOfALiveCell_isPictured() throws Exception {
        try (Browser browser = Browser.windowOf(Objects.requireNonNull(process))) {
            browser.open(System.getProperty("pictures.of"), 1024, HEIGHT, "light");
            awaitText(browser, LIVE, "live");
            JsonNode names = new ObjectMapper().readTree(browser.evaluate(NAMES));
            int number = 0;
            for (Map.Entry<String, String> view :
                    views(name -> names.path(name).asText()).entrySet()) {
                show(browser, view.getKey());
                awaitText(browser, "document.querySelector('" + view.getValue() + "') !== null", "true");
                number++;
                for (String colours : List.of("light", "dark")) {
                    for (int width : WIDTHS) {
                        browser.resize(width, HEIGHT, colours);
                        awaitText(browser, FAULTS, "[]");
                        picture(browser, "live-%02d-%s-%d".formatted(number, colours, width));
                    }
                }
            }
        }
    }

    /** A picture that no longer changes. */
    private PictureGrid settled(Browser browser, String key) {
        PictureGrid[] last = {new PictureGrid("")};
        await(key)
                .pollInterval(Duration.ofMillis(400))
                .atMost(Duration.ofSeconds(30))
                .until(() -> {
                    PictureGrid before = last[0];
                    last[0] = picture(browser, key);
                    return before.equals(last[0]);
                });
        return last[0];
    }

    private String compared(Browser browser, String key, PictureGrid expected) {
        soon("the picture " + key + " as stored; -Dpictures=rewrite stores what is seen now")
                .until(() -> picture(browser, key).looksLike(expected));
        return expected.hex();
    }

    private PictureGrid picture(Browser browser, String key) throws Exception {
        Path kept = Path.of(System.getProperty("pictures.folder", folder.toString()));
        Path file = Files.createDirectories(kept).resolve(key + ".png");
        browser.picture(file);
        return PictureGrid.of(file);
    }

    /**
     * The ways that docs/console-tried.md counts: from the number of pending tasks to the reason, and from the matrix to
     * the machine.
     */
    @Test
    void fromPendingToTheReason_twoClicks_fromConflictsToTheHotMachine_oneClick() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            browser.evaluate("document.querySelector('#pending').click()");
            awaitHas(browser, "location.hash + document.querySelector('#view').textContent", "#/tasks?state=PENDING");
            awaitHas(browser, "document.querySelector('#view').textContent", console.name("job"));
            String why = "[...document.querySelectorAll('.virtual td a')].find(link => link.textContent === 'why?')";
            awaitText(browser, why + " !== undefined", "true");
            browser.evaluate(why + ".click()");
            awaitHas(browser, "location.hash", "#/jobs/");
            awaitText(browser, "document.querySelector('.job .summary') !== null", "true");

            show(browser, "#/");
            awaitText(browser, "document.querySelector('#matrix .heat') !== null", "true");
            browser.evaluate("document.querySelector('#matrix .heat').click()");
            awaitHas(browser, "location.hash", "winner=");
            awaitText(browser, "document.querySelector('.conflicts td a[href*=\"machine=\"]') !== null", "true");

            show(browser, "#/");
            awaitText(browser, "document.querySelector('.of-conflicts a') !== null", "true");
            browser.evaluate("document.querySelector('.of-conflicts a').click()");
            awaitText(browser, "location.hash", "#/conflicts");
            awaitText(browser, "document.querySelector('.conflicts .heat') !== null", "true");
            awaitText(browser, "document.querySelector('.conflicts td a[href*=\"machine=\"]') !== null", "true");
        }
    }

    /** Every step that changes the cell is asked about first, is sent as it was confirmed, and shows a refusal. */
    @Test
    void stopScaleRestartAndDrain_areSentOnceConfirmed_andOutputGoesOn() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            String job = console.name("job");
            console.say("/v1/jobs/{job}", "", "{\"state\": \"RUNNING\"}");
            console.say("/v1/tasks", "/tasks/0", "{\"state\": \"RUNNING\", \"attempt\": 3, \"machine\": \"node-x\"}");
            show(browser, "#/jobs/" + job);
            awaitHas(browser, "document.querySelector('.log').textContent", "the recorded task wrote this line");
            console.print("and then another\n");
            awaitHas(browser, "document.querySelector('.log').textContent", "and then another");

            String group = confirm(browser, "scale", "count=7");
            assertThat(console.command())
                    .startsWith("POST /v1/jobs/" + job + ":scale {\"group\":\"")
                    .endsWith("\",\"count\":7}");
            assertThat(group).startsWith("scale " + job + "/");
            assertThat(confirm(browser, "restart", "")).contains("Attempt 3 on node-x is stopped");
            assertThat(console.command())
                    .startsWith("POST /v1/transactions")
                    .contains("\"evictions\"", "\"attempt\":3");
            assertThat(confirm(browser, "stop", "")).contains("All its tasks are told to stop");
            assertThat(console.command()).isEqualTo("DELETE /v1/jobs/" + job);
            awaitText(browser, "document.activeElement.textContent", "stop");

            click(browser, "stop");
            browser.evaluate("document.querySelector('dialog button:not(.danger)').click()");
            awaitText(browser, "document.querySelector('dialog') === null", "true");
            console.refuse("DELETE /v1/jobs/" + job, 403);
            click(browser, "stop");
            browser.evaluate("document.querySelector('dialog .danger').click()");
            awaitHas(browser, "document.querySelector('dialog .failure').textContent", "You may not do this");
            browser.evaluate("document.querySelector('dialog').close()");

            show(browser, "#/machines/" + console.name("machine"));
            console.say("/v1/tasks", "/tasks/1", """
                    {"task": "before/main/136", "resources": {"cpuMilli": 500, "memoryMib": 512}}
                    """);
            console.say("/v1/tasks", "/tasks/2", """
                    {"task": "before/main/335", "resources": {"cpuMilli": 500000, "memoryMib": 512}}
                    """);
            assertThat(confirm(browser, "drain", "deadline=5m"))
                    .contains("Nothing new is placed here")
                    .contains("2 of 6 tasks were looked at. There is no room elsewhere now for 1 of the 2 shown")
                    .containsPattern("before/main/335no machine.*before/main/136m-");
            assertThat(console.command())
                    .isEqualTo("POST /v1/machines/" + console.name("machine") + ":drain {\"deadline\":\"5m\"}");
        }
    }

    /** Tasks that have ended stay in the list of the machine's tasks, before the ones that hold something. */
    @Test
    void aDrain_looksAtTheTasksThatAreOnTheMachine_alsoAfterThousandsThatEnded() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            console.grow(2, 1, 3_300);
            console.end(2_000);
            String held = IntStream.range(2_000, 3_300)
                    .mapToObj(number -> "\"work-000001/main/" + number + "\"")
                    .collect(joining(", ", "{\"tasks\": [", "]}"));
            console.say("/v1/machines/{machine}", "", held);
            show(browser, "#/machines/" + console.name("machine"));
            awaitHas(browser, "document.querySelector('#view').textContent", "work-000001/main/2001- of 500 m");
            assertThat(confirm(browser, "drain", "deadline=5m"))
                    .contains("1,300 shown")
                    .doesNotContain("were looked at")
                    .contains("and 1,100 more");
        }
    }

    @Test
    void aDrain_looksForRoomInThePresent_alsoWhileThePastIsShown() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            console.say("/v1/tasks", "/tasks/0", """
                    {"task": "before/main/136", "resources": {"cpuMilli": 500, "memoryMib": 512}}
                    """);
            browser.evaluate("""
                    (fetched => {
                      const past = 'event: snapshot\\ndata: {"version": 1, "last": true, "changes": []}\\n\\n';
                      window.fetch = (path, options) => path.includes('&at=') ? Promise.resolve(new Response(past)) : fetched(path, options);
                    })(window.fetch)
                    """);
            show(browser, "#/?at=1");
            awaitText(browser, "document.querySelector('#machine-count').textContent", "0");
            show(browser, "#/machines/" + console.name("machine"));
            awaitText(browser, "document.body.classList.contains('present')", "true");
            assertThat(confirm(browser, "drain", "deadline=5m"))
                    .contains("There is room elsewhere now for each of the 1 shown");
        }
    }

    /** Presses the button, fills the field if there is one, confirms, and returns what was asked. */
    private static String confirm(Browser browser, String button, String field) throws Exception {
        click(browser, button);
        awaitText(browser, "document.querySelector('dialog') !== null", "true");
        String asked = browser.evaluate("document.querySelector('dialog').textContent");
        if (!field.isEmpty()) {
            browser.evaluate("document.querySelector('dialog [name=" + field.split("=", -1)[0] + "]').value = '"
                    + field.split("=", -1)[1] + "'");
        }
        browser.evaluate("document.querySelector('dialog .danger').click()");
        awaitText(browser, "document.querySelector('dialog') === null", "true");
        return asked;
    }

    private static void click(Browser browser, String button) throws Exception {
        String found =
                "[...document.querySelectorAll('#view button')].find(each => each.textContent === '" + button + "')";
        awaitText(browser, found + " !== undefined", "true");
        browser.evaluate(found + ".focus(), " + found + ".click()");
    }

    /** A row that moves away is a wrong machine; a link that is replaced between press and release is a lost click. */
    @Test
    void aPersonWhoChooses_hasSteadyRows_andNoClickIsLost() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            show(browser, "#/conflicts");
            String first =
                    "(document.querySelectorAll('.conflicts section')[2].querySelector('tbody a') ?? {}).textContent";
            String rows = "document.querySelectorAll('.conflicts section')[2].querySelectorAll('tbody tr').length > 1";
            awaitText(browser, rows, "true");
            String top = browser.evaluate(first);
            browser.mouse("mouseMoved", ".conflicts section:nth-of-type(3) tbody a");
            console.reverse("/v1/conflicts", "/groups");
            console.say("/v1/conflicts", "", "{\"conflicts\": 777777}");
            awaitHas(browser, "document.querySelector('.conflicts .summary').textContent", "777,777");
            assertThat(browser.evaluate(first)).isEqualTo(top);

            browser.mouse("mousePressed", ".conflicts section:nth-of-type(3) tbody a");
            console.say("/v1/conflicts", "/groups/0", "{\"count\": 888888}");
            console.say("/v1/conflicts", "", "{\"conflicts\": 888888}");
            awaitHas(browser, "document.querySelector('.conflicts .summary').textContent", "888,888");
            browser.mouse("mouseReleased", ".conflicts section:nth-of-type(3) tbody a");
            awaitHas(browser, "location.hash", "machine=" + top);
        }
    }

    @Test
    void theKeyboard_goesFromViewToRowsAndOn_andFocusFollows() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            String focus = "document.activeElement.id || document.activeElement.textContent";
            browser.evaluate("document.querySelector('.unseen').focus()");
            browser.enter();
            awaitText(browser, focus, "view");
            awaitText(browser, "document.querySelector('.overview') !== null", "true");
            press(browser, "g");
            press(browser, "j");
            awaitText(browser, "location.hash", "#/jobs");
            awaitText(browser, focus, "view");
            awaitText(browser, "document.activeElement.getAttribute('aria-label')", "Jobs - Cella");
            awaitText(browser, "document.querySelectorAll('.virtual td a').length > 2", "true");
            String row = "document.querySelectorAll('.virtual td a')[%d].textContent";
            press(browser, "/");
            awaitText(browser, "document.activeElement.className", "search");
            press(browser, "Enter");
            awaitText(browser, focus, browser.evaluate(String.format(row, 0)));
            press(browser, "j");
            awaitText(browser, focus, browser.evaluate(String.format(row, 1)));
            press(browser, "k");
            awaitText(browser, focus, browser.evaluate(String.format(row, 0)));
            browser.evaluate("document.activeElement.click()");
            awaitHas(browser, "location.hash", "#/jobs/");
            awaitText(browser, focus, "view");
            browser.evaluate("history.back()");
            awaitText(browser, "location.hash", "#/jobs");
            press(browser, "?");
            awaitText(browser, "document.querySelector('dialog').getAttribute('aria-label')", "Keys");
            browser.evaluate("document.querySelector('dialog').close()");
            awaitText(browser, "document.querySelector('dialog') === null", "true");
        }
    }

    @Test
    void enter_inAFilter_showsWhatIsAskedFor() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            for (String field : List.of("#/conflicts machine", "#/what-if decisionTime")) {
                String name = field.split(" ", -1)[1];
                show(browser, field.split(" ", -1)[0]);
                String input = "document.querySelector('.filters [name=" + name + "]')";
                awaitText(browser, input + " !== null", "true");
                browser.evaluate(input + ".value = '50ms', " + input + ".focus()");
                browser.enter();
                awaitHas(browser, "location.hash", name + "=50ms");
            }
        }
    }

    @Test
    void allThatIsKept_isAskedFor_andStaysInTheLinks() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            String window = "document.querySelector('[name=window]')?.value";
            String links =
                    "[...document.querySelectorAll('#view a[href^=\"#/conflicts?\"]')].map(link => link.hash).join(' ')";
            show(browser, "#/conflicts?machine=m-047");
            awaitText(browser, window, "5m");
            browser.evaluate(
                    "(field => { field.selectedIndex = field.length - 1;"
                            + " field.dispatchEvent(new Event('change', {bubbles: true})); })(document.querySelector('[name=window]'))");
            awaitHas(browser, "asked.join(' ')", "/v1/conflicts?machine=m-047&from=0&groupBy=machine");
            awaitText(browser, window, "all");
            awaitHas(browser, links, "?window=all&groupBy=machine&machine=m-047&scheduler=");

            show(browser, "#/machines/" + console.name("machine"));
            awaitHas(browser, links, "?window=all&machine=" + console.name("machine"));
            awaitHas(browser, links, "?machine=" + console.name("machine") + "&window=all&scheduler=");
            show(browser, "#/jobs/" + console.name("job"));
            awaitHas(browser, links, "?window=all&task=" + console.name("job"));
        }
    }

    /** The form that can be pasted into a filter is the title of a time. */
    @Test
    void aTimeOfAnotherDay_hasItsDate_andATitleInUtc() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            browser.timeZone("Europe/Berlin");
            String clocks = "import('/dashboard/page.js').then(({clock}) =>"
                    + " ['2026-11-23T13:00:01Z', '2026-11-22T22:59:59Z', undefined].map(clock).join(', '))";
            assertThat(browser.evaluate(clocks)).isEqualTo("14:00:01, 2026-11-22 23:59:59, -");
            show(browser, "#/conflicts");
            awaitText(browser, "document.querySelector('.conflicts .lines time')?.title", "2026-11-23T14:40:43.140Z");
        }
    }

    /** The pages after the first are of the same window, each is added once, and one that fails can be asked for again. */
    @Test
    void olderConflicts_areAddedOnce_andSayWhyTheyCannotBeRead() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            String ledger = "/v1/conflicts/ledger";
            console.say(ledger, "", "{\"nextPageToken\": \"2\"}");
            String rows = "document.querySelectorAll('.conflicts .lines tbody tr').length";
            String older =
                    "[...document.querySelectorAll('.conflicts button')].find(each => each.textContent === 'older')";
            show(browser, "#/conflicts");
            awaitText(browser, rows + " > 0", "true");
            int first = Integer.parseInt(browser.evaluate(rows));
            console.refuse(ledger, 503);
            browser.evaluate(older + ".click()");
            awaitHas(browser, "document.querySelector('.conflicts .failure').textContent", "refuses this with 503");
            console.refuseNothing();
            console.hold(ledger);
            browser.evaluate(older + ".click(), " + older + ".click()");
            assertThat(console.isHeld(ledger)).isTrue();
            console.release(ledger);
            awaitText(browser, rows, String.valueOf(2 * first));
            awaitText(browser, "document.querySelector('.conflicts .failure').textContent", "");
            awaitAnswers(browser);
            assertThat(browser.evaluate(rows)).isEqualTo(String.valueOf(2 * first));
            assertThat(browser.evaluate("asked.filter(path => path.includes('pageToken=2')).at(-1)"))
                    .startsWith(ledger + "?from=20");
        }
    }

    @Test
    void aReport_hasTheConflictsThatTheViewShows_andSaysWhatItCannotHave() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            browser.timeZone("Europe/Berlin");
            browser.evaluate(
                    "URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return 'blob:' }");
            String questions = "asked.filter(path => path.startsWith('/v1/conflicts')).join(' ')";
            show(browser, "#/conflicts?groupBy=reason");
            browser.evaluate("document.querySelector('#export').click()");
            awaitHas(browser, questions, "/v1/conflicts?window=5m&groupBy=machine");
            awaitHas(browser, "window.saved", "those of Europe/Berlin");

            show(browser, "#/conflicts?window=all&groupBy=reason&machine=m-047");
            browser.evaluate("document.querySelector('#export').click()");
            awaitHas(browser, questions, "/v1/conflicts?machine=m-047&from=0&groupBy=machine");
            awaitHas(browser, questions, "/v1/conflicts/ledger?machine=m-047&from=2");
            awaitHas(browser, "window.saved", ", machine=m-047.");

            console.refuse("/v1/conflicts", 503);
            browser.evaluate("document.querySelector('#export').click()");
            awaitHas(
                    browser,
                    "document.querySelector('#notice').textContent",
                    "Nothing was exported: The recorded cell refuses");
        }
    }

    /** Two states that stand side by side differ in colour to every eye, or one of them has a pattern or a shape. */
    @Test
    void states_areToldApart_withoutRedOrGreen() throws Exception {
        Map<String, List<String>> besideEachOther = Map.of(
                "bar", List.of("finished", "running", "placed", "failed", "killed"),
                "track", List.of("placed", "running", "stopping", "finished", "failed", "killed"),
                "marks", List.of("machine_down", "machine_draining", "leader", "other"));
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            for (String screen : List.of("light", "dark")) {
                browser.resize(1024, HEIGHT, screen);
                for (Map.Entry<String, List<String>> kind : besideEachOther.entrySet()) {
                    List<String> states = kind.getValue();
                    List<String> colours = styles(browser, kind.getKey(), states, "backgroundColor");
                    List<String> marks = marks(browser, kind.getKey(), states);
                    for (int one = 0; one < states.size(); one++) {
                        for (int other = 0; other < one; other++) {
                            if (marks.get(one).equals(marks.get(other))) {
                                String pair = kind.getKey() + ": " + states.get(one) + " and " + states.get(other);
                                for (ColourVision eye : ColourVision.values()) {
                                    assertThat(eye.distance(colours.get(one), colours.get(other)))
                                            .as(pair + ", " + screen + ", " + eye)
                                            .isGreaterThan(12);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /** What each has besides its colour: a pattern, a shape. */
    private static List<String> marks(Browser browser, String kind, List<String> states) throws Exception {
        List<String> patterns = styles(browser, kind, states, "backgroundImage");
        List<String> shapes = styles(browser, kind, states, "clipPath");
        return IntStream.range(0, states.size())
                .mapToObj(place -> patterns.get(place).replaceAll("rgba?\\([^)]*\\)", "") + shapes.get(place))
                .toList();
    }

    private static List<String> styles(Browser browser, String kind, List<String> states, String property)
            throws Exception {
        String tag = kind.equals("marks") ? "button" : "i";
        String joined = browser.evaluate("""
                (() => {
                  const around = document.createElement('div');
                  around.className = '%s';
                  document.querySelector('main').append(around);
                  const said = '%s'.split(',').map(state => {
                    const piece = document.createElement('%s');
                    piece.className = state;
                    around.append(piece);
                    return getComputedStyle(piece).%s;
                  });
                  around.remove();
                  return said.join(';');
                })()""".formatted(kind, String.join(",", states), tag, property));
        return List.of(joined.split(";", -1));
    }

    @Test
    void theSquaresOfTasks_followTheColoursOfTheScreen() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            browser.resize(1024, HEIGHT, "light");
            show(browser, "#/jobs/" + console.name("job"));
            String square =
                    "[...document.querySelector('.grid').getContext('2d').getImageData(1, 1, 1, 1).data].join()";
            awaitText(browser, square, "39,121,74,255");
            browser.resize(1024, HEIGHT, "dark");
            awaitText(browser, square, "95,187,132,255");
        }
    }

    @Test
    void print_isDarkOnWhite_alsoFromADarkScreen() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            String header = "getComputedStyle(document.querySelector('header')).backgroundColor";
            String text = "getComputedStyle(document.querySelector('#version')).color";
            browser.resize(1024, HEIGHT, "dark");
            awaitText(browser, header, "rgb(24, 32, 41)");
            browser.paper("dark");
            awaitText(browser, header, "rgb(255, 255, 255)");
            awaitText(browser, text, "rgb(0, 0, 0)");
            awaitText(browser, "getComputedStyle(document.querySelector('#tools')).display", "none");
        }
    }

    @Test
    void tenThousandMachines_andHundredThousandRows_stayQuickToUse() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.grow(10_000, 100_000, 100_000);
            try (Browser browser = open(console)) {
                awaitText(browser, "document.querySelector('#machine-count').textContent", "10,000");
                awaitHas(
                        browser, "document.querySelector('.map canvas').getAttribute('aria-label')", "10,000 machines");
                int pointedAt = machineAtTheMiddle(browser);
                for (int step = 0; step < 9; step++) {
                    browser.evaluate(overTheMap("new WheelEvent('wheel', {...where, ctrlKey: true, deltaY: -100})"));
                }
                assertThat(machineAtTheMiddle(browser))
                        .as("the map zooms to where the pointer is")
                        .isCloseTo(pointedAt, within(100));
                browser.evaluate("document.querySelector('.map canvas').focus()");
                press(browser, "ArrowRight");
                press(browser, "Enter");
                awaitHas(browser, "location.hash", "#/machines/node-");
                awaitProblem(browser, "look in the list");

                show(browser, "#/machines");
                awaitText(browser, count(), "10,000 of 10,000");
                type(browser, "node-0777");
                awaitText(browser, count(), "10 of 10,000");

                show(browser, "#/jobs");
                awaitText(browser, count(), "100,000 of 100,000");
                assertThat(Integer.parseInt(browser.evaluate("document.querySelectorAll('.virtual tbody tr').length")))
                        .as("only rows in sight are made")
                        .isLessThan(100);
                browser.evaluate("document.querySelector('.virtual th button').click()");
                browser.evaluate("document.querySelector('.list').scrollTop = 1e9");
                awaitHas(browser, "document.querySelector('.virtual tbody').textContent", "work-099999");
                type(browser, "work-05000");
                awaitText(browser, count(), "10 of 100,000");

                show(browser, "#/tasks");
                awaitText(browser, count(), "1,000, more below");
                browser.evaluate("document.querySelector('.list').scrollTop = 1e9");
                awaitText(browser, count(), "2,000, more below");
                assertThat(browser.complaints())
                        .as("but that no machine of that name was recorded")
                        .noneMatch(complaint -> !complaint.contains("404"));
            }
        }
    }

    @Test
    void jobs_areFoundByTheirLabels_andTasksByTheirNames() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.grow(1, 2, 1);
            console.say("/v1/feed", "/snapshot/changes/2/row", "{\"labels\": {\"team\": \"web\"}}");
            try (Browser browser = open(console)) {
                show(browser, "#/jobs");
                awaitText(browser, count(), "2 of 2");
                type(browser, "team=web");
                awaitText(browser, count(), "1 of 2");
                awaitText(browser, "document.querySelector('.virtual td a').textContent", "work-000001");
                show(browser, "#/tasks");
                awaitText(browser, count(), "1");
                assertThat(browser.evaluate("document.querySelector('#view .search').placeholder"))
                        .isEqualTo("name");
            }
        }
    }

    @Test
    void theDataOfAList_isItsLargestPage_withTheStateThatIsChosen() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            String data =
                    "[...document.querySelectorAll('#view .data a')].map(link => link.getAttribute('href')).join(' ')";
            show(browser, "#/tasks?job=a&state=PENDING&q=b");
            awaitText(
                    browser,
                    data,
                    "/v1/tasks?job=a&state=PENDING&limit=1000 /v1/tasks?job=a&state=PENDING&limit=1000&format=csv");
            awaitHas(browser, "document.querySelector('#view .data').textContent", "at most 1,000 rows");
            show(browser, "#/jobs?scheduler=web");
            awaitHas(browser, data, "/v1/jobs?scheduler=web&limit=1000 ");
            browser.evaluate(
                    "(field => { field.value = 'RUNNING'; field.dispatchEvent(new Event('change', {bubbles: true})); })"
                            + "(document.querySelector('#view select'))");
            awaitHas(browser, data, "/v1/jobs?scheduler=web&state=RUNNING&limit=1000 ");
            show(browser, "#/");
            awaitHas(browser, data, "/v1/machines?limit=1000&format=csv");
        }
    }

    /** The server is asked for more pages until a search fills a screen; after 100,000 tasks only on demand. */
    @Test
    void aTask_isFoundOnAnyPage_andTheListBeginsAgainWhenItsPagesAreGone() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.grow(1, 1, 101_500);
            try (Browser browser = openWithOurClock(console)) {
                String rows = "document.querySelector('.virtual tbody').textContent";
                show(browser, "#/tasks");
                awaitText(browser, count(), "1,000, more below");
                console.refuse("/v1/tasks?pageToken=1000-FINISHED%2CRUNNING&limit=1000", 410);
                setTheClock(browser, console.recordedMillis() + 61_000);
                browser.evaluate("document.querySelector('.list').scrollTop = 1e9");
                awaitText(browser, requests("/v1/tasks"), "3");
                awaitText(browser, count(), "1,000, more below");
                console.refuseNothing();
                type(browser, "main/4321");
                awaitText(browser, count(), "11 in the first 100,000");
                awaitHas(browser, rows, "work-000001/main/43210");
                type(browser, "main/101234");
                awaitText(browser, count(), "0 in the first 100,000");
                browser.evaluate(
                        "[...document.querySelectorAll('.tools button')].find(each => each.textContent === 'look further').click()");
                awaitText(browser, count(), "1");
                awaitHas(browser, rows, "work-000001/main/101234");
            }
        }
    }

    @Test
    void aListOfTasks_saysOfWhenItIs_andIsReadAgainWhenAsked() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            browser.timeZone("UTC");
            String tools = "document.querySelector('#view .tools').textContent";
            console.grow(1, 1, 3);
            show(browser, "#/tasks");
            awaitHas(browser, tools, "as of 14:40:44");
            console.end(3);
            setTheClock(browser, console.recordedMillis() + 61_000);
            click(browser, "ask again");
            awaitHas(browser, tools, "as of 14:41:45");
            awaitHas(browser, "document.querySelector('.virtual tbody').textContent", "FINISHED");
        }
    }

    /** A page that is gone at once was never kept: the list is longer than the server keeps any. */
    @Test
    void aListOfTasks_thatTheServerCuts_keepsItsRows_andSaysSo() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.grow(1, 1, 3_000);
            console.refuse("/v1/tasks?pageToken=2000-FINISHED%2CRUNNING&limit=1000", 410);
            try (Browser browser = openWithOurClock(console)) {
                show(browser, "#/tasks");
                awaitText(browser, count(), "1,000, more below");
                browser.evaluate("document.querySelector('.list').scrollTop = 1e9");
                awaitText(browser, count(), "2,000, more below");
                browser.evaluate("document.querySelector('.list').scrollTop = 1e9");
                String cut = " of the first 2,000. The recorded cell refuses this with 410. a hint of the server";
                awaitText(browser, count(), "2,000" + cut);
                type(browser, "main/1999");
                awaitText(browser, count(), "1" + cut);
                assertThat(browser.evaluate(requests("/v1/tasks"))).isEqualTo("3");
            }
        }
    }

    @Test
    void aListOfTasks_keepsItsRowsThroughFailuresThatPass_andGoesOn() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.grow(1, 1, 4_500);
            try (Browser browser = open(console)) {
                String rows = "document.querySelector('.virtual tbody').textContent";
                show(browser, "#/tasks");
                awaitText(browser, count(), "1,000, more below");
                console.refuse("/v1/tasks", 429);
                browser.evaluate("document.querySelector('.list').scrollTop = 1e9");
                awaitText(browser, count(), "1,000 so far. The recorded cell refuses this with 429; trying again");
                assertThat(browser.evaluate(rows)).contains("work-000001/main/999");
                console.refuseNothing();
                awaitText(browser, count(), "2,000, more below");

                console.breakOff("/v1/tasks");
                type(browser, "main/4321");
                awaitText(browser, count(), "2,000 so far. The server does not answer; trying again");
                console.refuseNothing();
                awaitText(browser, count(), "1");
                assertThat(browser.evaluate(rows)).contains("work-000001/main/4321");
            }
        }
    }

    @Test
    void aState_thatIsChosenWhileAPageIsUnderWay_isAskedFor() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            console.hold("/v1/tasks");
            show(browser, "#/tasks");
            assertThat(console.isHeld("/v1/tasks")).isTrue();
            browser.evaluate(
                    "(field => { field.value = 'RUNNING'; field.dispatchEvent(new Event('change', {bubbles: true})); })"
                            + "(document.querySelector('#view select'))");
            console.release("/v1/tasks");
            awaitHas(browser, "document.querySelector('.virtual tbody').textContent", "RUNNING");
        }
    }

    @Test
    void aLinkToThePresentAddress_showsItAgain() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            for (String view : List.of("tasks", "conflicts")) {
                console.refuse("/v1/" + view, 403);
                show(browser, "#/" + view);
                awaitProblem(browser, "403");
                console.refuseNothing();
                browser.evaluate("document.querySelector('#view .problem a').click()");
                awaitText(browser, "document.querySelector('#view td a') !== null", "true");
            }
        }
    }

    /** Work is counted, not timed: whole paints, and squares of machines. */
    @Test
    void theMapOf130000Machines_paintsWhatHasChanged_staysLow_andFollowsTheKeys() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            browser.evaluate("""
                    import('/dashboard/map.js').then(({MachineMap}) => {
                      const machine = (name, rack) => ({name, status: 'READY', capacity: {cpuMilli: 100}, free: {cpuMilli: 50},
                        attributes: {rack}, taskCount: 1});
                      window.machines = new Map();
                      for (let number = 0; number < 130000; number++) {
                        window.machines.set('n' + number, machine('n' + number, 'r' + Math.floor(number / 40)));
                      }
                      window.map = new MachineMap(() => {});
                      document.querySelector('#view').replaceChildren(map.root);
                      const paintSquare = map.paintSquare.bind(map);
                      const paintLabels = map.paintLabels.bind(map);
                      window.squares = window.wholes = 0;
                      map.paintSquare = (...given) => { squares++; paintSquare(...given); };
                      map.paintLabels = (...given) => { wholes++; paintLabels(...given); };
                      map.draw(window.shown = {machines, members: 1});
                    })
                    """);
            assertThat(browser.evaluate("wholes")).isEqualTo("1");
            assertThat(Integer.parseInt(browser.evaluate("squares"))).isGreaterThan(30_000);
            assertThat(browser.evaluate("map.height <= 560 && map.full < 3 * map.height"))
                    .as("3,250 racks: " + browser.evaluate("map.full + ' high, squares of ' + map.side"))
                    .isEqualTo("true");

            browser.evaluate("""
                    (box => {
                      squares = 0;
                      for (let step = 1; step < 40; step++) {
                        map.canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + 20 * step, clientY: box.top + 9}));
                      }
                      machines.set('n7', {...machines.get('n7'), status: 'DOWN'});
                      map.draw(shown);
                    })(map.canvas.getBoundingClientRect())
                    """);
            assertThat(browser.evaluate("wholes + ' ' + squares")).isEqualTo("1 1");

            browser.resize(1024, 300, "light");
            awaitText(browser, "window.innerHeight", "300");
            browser.evaluate("map.draw(shown), map.point('n0')");
            for (String key : List.of("ArrowDown", "ArrowRight", "ArrowUp")) {
                for (int presses = 0;
                        presses < 120;
                        presses += 10) { // a few at a time, as each may paint the whole map
                    browser.evaluate("""
                            (() => {
                              for (let times = 0; times < 10; times++) {
                                map.canvas.dispatchEvent(new KeyboardEvent('keydown', {key: '%s'}));
                              }
                            })()
                            """.formatted(key));
                }
                assertThat(browser.evaluate("""
                        (() => {
                          const at = map.squareOf(map.selected);
                          return at.y >= map.top && at.y + map.side <= map.top + map.height;
                        })()
                        """))
                        .as(key + " keeps the selected machine in sight")
                        .isEqualTo("true");
                assertThat(browser.evaluate("map.top > 0")).isEqualTo(String.valueOf(!key.equals("ArrowUp")));
            }
            assertThat(browser.evaluate("map.root.querySelector('.detail').textContent"))
                    .contains("rack=r");
        }
    }

    @Test
    void theMap_opensTheMachineUnderThePointerOnly_andAtItsEndTheWheelMovesThePage() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            String chosen = browser.evaluate("""
                    import('/dashboard/map.js').then(({MachineMap}) => {
                      const chosen = [];
                      const map = window.map = new MachineMap(name => chosen.push(name));
                      const machine = name => ({name, status: 'READY', capacity: {cpuMilli: 100}, free: {cpuMilli: 50}, taskCount: 1});
                      document.querySelector('#view').replaceChildren(map.root);
                      map.draw({machines: new Map(['n0', 'n1', 'n2'].map(name => [name, machine(name)])), members: 1});
                      const box = map.canvas.getBoundingClientRect();
                      const at = (type, x) => map.canvas.dispatchEvent(new PointerEvent(type, {clientX: box.left + x, clientY: box.top + 5}));
                      at('pointermove', 5);
                      at('click', box.width - 5);
                      at('click', map.side + 5);
                      const many = Array.from({length: 2000}, (_, number) => 'n' + number);
                      map.draw({machines: new Map(many.map(name => [name, machine(name)])), members: 1});
                      map.zoomBy(16);
                      return chosen.join(' ');
                    })
                    """);
            assertThat(chosen).isEqualTo("n1");
            assertThat(browser.evaluate("""
                    [-100, 100, 1e9, 100].map(deltaY => {
                      const event = new WheelEvent('wheel', {deltaY, cancelable: true});
                      map.canvas.dispatchEvent(event);
                      return event.defaultPrevented;
                    }).join(' ')
                    """)).isEqualTo("false true true false");
        }
    }

    private static int machineAtTheMiddle(Browser browser) throws Exception {
        browser.evaluate(overTheMap("new PointerEvent('pointermove', where)"));
        String name = browser.evaluate("document.querySelector('.map .detail').textContent.match(/node-(\\d+)/)[1]");
        return Integer.parseInt(name);
    }

    private static String overTheMap(String event) {
        return "(map => { const box = map.getBoundingClientRect(); const where = {bubbles: true, cancelable: true,"
                + " clientX: box.left + box.width / 2, clientY: box.top + box.height / 2}; map.dispatchEvent(" + event
                + "); })(document.querySelector('.map canvas'))";
    }

    private static String count() {
        return "document.querySelector('#view .count').textContent";
    }

    private static void type(Browser browser, String text) throws Exception {
        browser.evaluate(
                "(field => { field.value = '" + text + "'; field.dispatchEvent(new Event('input', {bubbles: true})); })"
                        + "(document.querySelector('#view .search'))");
    }

    @Test
    void queues_areOnThePagesOfTheirMachineAndTheirJob() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.say("/v1/machines/{machine}", "", """
                    {"queued": 102, "queue": ["bag/main/0"], "waits": {"saidAgo": "2s", "cpuMilli": [500, 4000],
                     "memoryMib": [512], "rows": [{"waits": ["1s500ms"]}, {"waits": []}]}}
                    """);
            console.say("/v1/jobs/{job}:explain", "/groups/0", """
                    {"pending": 3, "queued": 3, "queues": [{"machine": "node-x", "tasks": 3, "before": 7,
                     "head": "bag/main/0", "headLacks": "cpuMilli"}]}
                    """);
            try (Browser browser = open(console)) {
                show(browser, "#/machines/" + console.name("machine"));
                String page = "document.querySelector('#view').textContent";
                awaitHas(browser, page, "102 in its queue");
                awaitHas(browser, page, "bag/main/0");
                awaitHas(browser, page, "and 101 more");
                awaitHas(browser, page, "1s500ms");
                awaitHas(browser, page, "never");
                awaitText(browser, FAULTS, "[]");

                show(browser, "#/jobs/" + console.name("job"));
                awaitHas(browser, page, "3 of them in the queues of machines");
                awaitHas(browser, page, "node-x");
                awaitText(browser, FAULTS, "[]");
            }
        }
    }

    @Test
    void anUpdatesProgress_isOnThePageOfItsJob_whereItsCanariesArePromoted() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            String job = console.name("job");
            console.say("/v1/jobs/{job}", "", """
                    {"state": "RUNNING", "generation": 3, "update": "1 canary is healthy", "awaitsPromotion": true, "revertsTo": 2,
                     "updatedVersion": 17,
                     "generations": [{"generation": 2, "tasks": 3, "running": 3}, {"generation": 3, "tasks": 1, "running": 1}]}
                    """);
            try (Browser browser = open(console)) {
                show(browser, "#/jobs/" + job);
                String shown = "document.querySelector('#view .update')?.innerText";
                awaitHas(browser, shown, "Update to generation 3");
                awaitHas(browser, shown, "1 canary is healthy");
                awaitHas(browser, shown, "75 %");
                awaitText(browser, FAULTS, "[]");
                assertThat(confirm(browser, "promote", "")).contains("from its canaries to the other tasks");
                assertThat(console.command()).isEqualTo("POST /v1/jobs/" + job + ":promote {}");
                assertThat(confirm(browser, "revert", "")).contains("its former generation again");
                assertThat(console.command())
                        .isEqualTo("POST /v1/jobs/" + job + ":revert {\"generation\":2,\"checkVersion\":17}");
            }
        }
    }

    @Test
    void usageBesideWhatWasAsked_isOnThePagesOfTheMachineAndTheJob() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            String usage = """
                    {"usage": {"tasks": 2, "cpuMilliAsked": 4000, "memoryMibAsked": 1024,
                     "used": {"cpuMilli": 300, "cpuMilliMean": 1000, "memoryMib": 512, "diskMib": 7}}}
                    """;
            console.say("/v1/machines/{machine}", "", usage);
            console.say("/v1/jobs/{job}", "", usage);
            try (Browser browser = open(console)) {
                for (String page : List.of("#/machines/" + console.name("machine"), "#/jobs/" + console.name("job"))) {
                    show(browser, page);
                    String shown = "document.querySelector('#view .usage')?.innerText";
                    awaitHas(browser, shown, "Used by 2 tasks");
                    awaitHas(browser, shown, "8 %");
                    awaitHas(browser, shown, "50 %");
                    awaitHas(browser, shown, "4,000");
                    awaitText(browser, FAULTS, "[]");
                }
            }
        }
    }

    @Test
    void aMachinesPage_saysWhatEachTaskUses_andWaitsOnlyWhereItKnows() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            console.say("/v1/tasks", "/tasks/0", """
                    {"task": "before/main/136", "state": "RUNNING", "resources": {"cpuMilli": 500, "memoryMib": 512},
                     "usage": {"cpuMilli": 77, "cpuMilliMean": 70, "memoryMib": 300}}
                    """);
            String page = "document.querySelector('#view').textContent";
            show(browser, "#/machines/" + console.name("machine"));
            awaitHas(browser, page, "77 of 500 m");
            awaitHas(browser, page, "300 of 512 MiB");
            awaitHas(browser, page, "claim lost");
            awaitHas(browser, page, "Claimed here, over time");
            awaitHas(browser, "document.querySelector('.of-cpuMilli')?.textContent", "of 4,000");
            awaitText(browser, "document.querySelectorAll('.track .running').length > 5", "true");
            awaitText(browser, "document.querySelectorAll('.track .pending').length", "0");
            awaitText(browser, FAULTS, "[]");

            show(browser, "#/jobs/" + console.name("job"));
            awaitText(browser, "document.querySelectorAll('.lane .pending').length > 5", "true");
            awaitText(
                    browser,
                    "document.querySelector('.legend').textContent.trim().split(/\\s+/).sort().join(' ')",
                    "conflict finished pending placed running");
        }
    }

    /** A task whose first step that is kept is its failure was placed before. */
    @Test
    void aLane_isPendingBeforeAPlacement_andEmptyBeforeAStepOfATaskThatRan() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            String pieces = browser.evaluate("""
                    import('/dashboard/timeline.js').then(({lanes}) => {
                      const step = (minute, step, index, machine) =>
                        ({at: `2026-11-23T10:0${minute}:00Z`, version: minute, step, task: `a/main/${index}`, machine});
                      const made = lanes([step(1, 'FAILED', 0, 'm'), step(2, 'PENDING', 0), step(3, 'PLACED', 1, 'm'), step(4, 'KILLED', 2),
                        step(5, 'FAILED', 3, 'm')]);
                      return [...made.querySelectorAll('.lane')].map(lane => [...lane.querySelectorAll('.track i')]
                        .map(piece => piece.className).join('+')).join(', ');
                    })
                    """);
            assertThat(pieces).isEqualTo("pending, pending+placed, pending+end killed, end failed");
        }
    }

    @Test
    void whateverCannotBeShown_getsAnHonestPage_withAWayOn() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = open(console)) {
            for (String gone : List.of("#/jobs/nosuch", "#/machines/nosuch", "#/nosuch", "#/jobs/%zz")) {
                show(browser, gone);
                awaitProblem(browser, "");
            }
            console.refuse("/v1/conflicts/photo", 404);
            show(browser, "#/conflicts/1");
            awaitProblem(browser, "404");
            show(browser, "#/?at=1");
            awaitHas(
                    browser,
                    "document.querySelector('.scrubber output').textContent",
                    "no longer kept; the oldest is 42");

            aTokenWithoutPermission(console, browser);
            aCellOfAnotherIncarnation(console, browser);
        }
    }

    @Test
    void theScrubber_showsTheVersionThatWasAskedForLast_andSaysWhyItCannot() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            browser.evaluate("""
                    (fetched => {
                      const past = 'event: snapshot\\ndata: {"version": 2, "last": true, "changes": []}\\n\\n';
                      window.fetch = (path, options) => {
                        const answers = {
                          1: () => new Promise((answer, fail) => { window.failFirst = () => fail(new TypeError('late')); window.first = options.signal; }),
                          2: () => Promise.resolve(new Response(past)),
                          3: () => Promise.reject(new TypeError('nobody is there')),
                        };
                        return (answers[/&at=(\\d)/.exec(path)?.[1]] ?? (() => fetched(path, options)))();
                      };
                    })(window.fetch)
                    """);
            String said = "document.querySelector('.scrubber output').textContent";
            show(browser, "#/?at=1");
            awaitText(browser, "window.first !== undefined", "true");
            show(browser, "#/?at=2");
            awaitHas(browser, said, "version 2");
            awaitText(browser, "document.body.classList.contains('past')", "true");
            assertThat(browser.evaluate("first.aborted")).isEqualTo("true");
            browser.evaluate("failFirst()");
            assertThat(browser.evaluate(said)).startsWith("version 2");
            show(browser, "#/?at=3");
            awaitText(browser, said, "The server does not answer.");
            awaitText(browser, "document.body.classList.contains('past')", "false");
            console.refuse("/v1/conflicts/ledger", 401);
            browser.evaluate("document.querySelectorAll('.scrubber button')[1].click()");
            awaitHas(browser, said, "refuses this with 401");
        }
    }

    /** Every view that asks says so, and the page asks for another token when even the feed is refused. */
    private static void aTokenWithoutPermission(RecordedConsole console, Browser browser) throws Exception {
        console.refuse("/v1/conflicts", 403);
        console.refuse("/v1/conflicts/what-if", 403);
        console.refuse("/v1/jobs/" + console.name("job"), 403);
        console.refuse("/v1/tasks", 403);
        console.refuse("/v1/pools", 403);
        console.refuse("/v1/schedulers", 403);
        for (String view : List.of(
                "#/conflicts",
                "#/what-if?conflictRule=RESOURCE",
                "#/jobs/" + console.name("job"),
                "#/tasks",
                "#/pools",
                "#/schedulers",
                "#/schedulers/" + console.name("scheduler"))) {
            show(browser, view);
            awaitProblem(browser, "refuses this with 403");
        }
        console.refuse("/v1/cell", 403);
        console.cutTheFeed();
        awaitText(browser, "document.querySelector('#token').hidden", "false");
        awaitHas(browser, "document.querySelector('#connection').textContent", "this is as of");
        console.refuseNothing();
        awaitText(browser, LIVE, "live");
        awaitText(browser, "document.querySelector('#token').hidden", "true");
    }

    /** The connection of the former token ends, also one that the server has not answered yet. */
    @Test
    void aTokenThatIsTypedIn_opensOneFeed_andTheViewAgain() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            console.refuse("/v1/pools", 403);
            show(browser, "#/pools");
            awaitProblem(browser, "403");
            console.refuse("/v1/cell", 403);
            console.cutTheFeed();
            awaitText(browser, "document.querySelector('#token').hidden", "false");
            console.hold("/v1/cell");
            assertThat(console.isHeld("/v1/cell")).isTrue();
            console.refuseNothing();

            String before = browser.evaluate(requests("/v1/feed"));
            browser.evaluate("document.querySelector('#token [name=token]').value = 'another',"
                    + " document.querySelector('#token button').click()");
            awaitText(browser, "document.querySelector('#view table')?.getAttribute('aria-label')", "Pools");
            console.release("/v1/cell");
            awaitText(browser, LIVE, "live");
            awaitAnswers(browser);
            assertThat(browser.evaluate(requests("/v1/feed") + " - " + before)).isEqualTo("1");
        }
    }

    /** A link that the browser follows would not send that token. */
    @Test
    void data_isSavedInATabWithATokenOfItsOwn() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            browser.evaluate("sessionStorage.setItem('cella-token', 'own'), URL.createObjectURL = blob => {"
                    + " blob.text().then(text => { window.saved = text; }); return 'blob:' }");
            show(browser, "#/pools");
            awaitText(browser, "document.querySelector('#view table')?.getAttribute('aria-label')", "Pools");
            browser.evaluate("document.querySelector('#view .data a').click()");
            awaitHas(browser, "window.saved", "\"pools\":[");
            assertThat(browser.evaluate("location.hash")).isEqualTo("#/pools");
            console.refuse("/v1/pools", 403);
            browser.evaluate("document.querySelector('#view .data a').click()");
            awaitHas(
                    browser,
                    "document.querySelector('#notice').textContent",
                    "Nothing was saved: The recorded cell refuses");
        }
    }

    /** Browsers send no header with such a character, so the page would not get an answer any more. */
    @Test
    void aTokenWithACharacterThatNoneHas_isNotTaken() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = begin(console, "#token=copied%E2%80%A6")) {
            String kept = "sessionStorage.getItem('cella-token')";
            String typed = "document.querySelector('#token [name=token]').value = '%s',"
                    + " document.querySelector('#token button').click()";
            awaitText(browser, LIVE, "live");
            console.refuse("/v1/cell", 401);
            console.cutTheFeed();
            awaitText(browser, "document.querySelector('#token').hidden", "false");
            browser.evaluate(String.format(typed, "copied\\u2026"));
            assertThat(browser.evaluate(kept)).isEqualTo("null");
            assertThat(browser.evaluate("document.querySelector('#token').hidden"))
                    .isEqualTo("false");
            browser.evaluate(String.format(typed, " another "));
            assertThat(browser.evaluate(kept)).isEqualTo("another");
        }
    }

    /** It opens the feed and the view again, and is nowhere to be seen. One that was cut off on its way is none. */
    @Test
    void aTokenInTheAddressOfAnOpenTab_isTaken_andLeavesTheAddress() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = begin(console, "#token=cut%")) {
            String kept = "sessionStorage.getItem('cella-token')";
            awaitText(browser, LIVE, "live");
            assertThat(browser.evaluate(kept)).isEqualTo("null");
            show(browser, "#token=se%2Dcret");
            awaitText(browser, kept, "se-cret");
            awaitText(browser, requests("/v1/feed"), "2");
            assertThat(browser.evaluate("location.href + document.body.textContent"))
                    .doesNotContain("token=", "There is no such view");
            show(browser, "#token=cut%");
            awaitText(browser, "location.hash", "");
            assertThat(browser.evaluate(kept)).isEqualTo("se-cret");
        }
    }

    /** Nothing of the former history stays on the page, and the page says that there is another one. */
    private static void aCellOfAnotherIncarnation(RecordedConsole console, Browser browser) throws Exception {
        show(browser, "#/");
        console.becomeAnotherIncarnation();
        console.cutTheFeed();
        awaitText(browser, "document.querySelector('#machine-count').textContent", "1");
        awaitText(browser, LIVE, "live");
        awaitHas(browser, "document.querySelector('#notice').textContent", "another history");
    }

    /** One turn at a time, again after a refusal that means "not now", and none after one that stays. */
    @Test
    void aView_asksAgain_unlessItStillWaits_orIsRefusedForGood() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            console.hold("/v1/pools");
            show(browser, "#/pools");
            awaitText(browser, requests("/v1/pools"), "1");
            tick(browser);
            tick(browser);
            assertThat(browser.evaluate(requests("/v1/pools"))).isEqualTo("1");
            console.release("/v1/pools");
            awaitText(browser, "document.querySelector('#view h2')?.textContent", "Pools");

            for (Map.Entry<String, String> view : Map.of(
                            "#/pools",
                            "/v1/pools",
                            "#/conflicts",
                            "/v1/conflicts",
                            "#/jobs/" + console.name("job"),
                            "/v1/jobs/" + console.name("job"))
                    .entrySet()) {
                console.refuse(view.getValue(), 429);
                show(browser, "#/");
                show(browser, view.getKey());
                awaitHas(browser, "document.querySelector('#view').textContent", "refuses this with 429; trying again");
                assertThat(browser.evaluate("document.querySelector('#view .problem')"))
                        .as(view.getKey())
                        .isEqualTo("null");
                console.refuseNothing();
                awaitTicking(browser, "document.querySelector('#view table') !== null", "true");

                console.refuse(view.getValue(), 401);
                awaitTicking(browser, "document.querySelector('#view .problem') !== null", "true");
                awaitProblem(browser, "refuses this with 401");
                String before = browser.evaluate(requests(view.getValue()));
                tick(browser);
                assertThat(browser.evaluate(requests(view.getValue())))
                        .as(view.getKey())
                        .isEqualTo(before);
                console.refuseNothing();
            }
        }
    }

    /** An attempt that waits has printed nothing, so the page shows the output of the attempt before it, and says so. */
    @Test
    void output_isOfTheNewestAttempt_andGoesOnWhereItBrokeOff() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            String logs =
                    "asked.filter(path => path.includes(':logs')).map(path => path.match(/attempt=\\d/)[0]).join(' ')";
            String log = "document.querySelector('.log').textContent";
            String job = console.name("job");
            console.say("/v1/jobs/{job}", "", "{\"state\": \"RUNNING\"}");
            console.say("/v1/tasks", "/tasks/0", "{\"state\": \"PENDING\", \"attempt\": 2}");
            show(browser, "#/jobs/" + job);
            awaitText(browser, logs, "attempt=1");
            awaitHas(browser, "document.querySelector('#view').textContent", "below is the output of attempt 1");
            awaitHas(browser, log, "the recorded task wrote this line");

            String output = "/v1/tasks/" + job + "/main/0:logs";
            console.refuse(output, 404);
            console.say("/v1/tasks", "/tasks/0", "{\"state\": \"PLACED\"}");
            console.say("/v1/jobs/{job}", "", "{\"changedVersion\": 900001}");
            awaitTicking(browser, logs, "attempt=1 attempt=2");
            awaitHas(browser, log, "refuses this with 404");
            console.refuseNothing();
            awaitTicking(browser, log, "the recorded task wrote this line\n");
            String asked = browser.evaluate(logs);
            tick(browser);
            awaitAnswers(browser);
            assertThat(browser.evaluate(logs)).isEqualTo(asked);

            console.breakTheOutput();
            awaitTicking(browser, logs, asked + " attempt=2");
            awaitText(browser, log, "the recorded task wrote this line\n");
        }
    }

    @Test
    void theTasksOfAJobThatWaits_areAskedForAgain_onlyIfTheyMayHaveChanged() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            String job = console.name("job");
            String asked = requests("/v1/jobs/" + job + ":explain") + " + ' ' + " + requests("/v1/tasks");
            console.say("/v1/jobs/{job}", "/tasks", "{\"pending\": 3}");
            show(browser, "#/jobs/" + job);
            awaitText(browser, "document.querySelector('.job .summary') !== null", "true");
            assertThat(browser.evaluate(asked)).isEqualTo("1 1");
            takeATurn(console, browser, "\"attempts\": 22");
            assertThat(browser.evaluate(asked)).isEqualTo("2 1");

            console.say("/v1/jobs/{job}:explain", "/groups/0", "{\"pending\": 3, \"queued\": 3}");
            takeATurn(console, browser, "\"changedVersion\": 900001, \"attempts\": 33");
            assertThat(browser.evaluate(asked)).isEqualTo("3 2");
            takeATurn(console, browser, "\"attempts\": 44");
            assertThat(browser.evaluate(asked)).as("the machines' queues").isEqualTo("4 3");
        }
    }

    /** One turn of the page of a job; it has ended when the page shows the number of attempts, the last of the fields. */
    private static void takeATurn(RecordedConsole console, Browser browser, String fields) throws Exception {
        console.say("/v1/jobs/{job}", "", "{" + fields + "}");
        tick(browser);
        awaitHas(
                browser,
                "document.querySelector('.job').textContent",
                fields.substring(fields.lastIndexOf(' ') + 1) + " attempts to place");
    }

    @Test
    void aTaskBeyondThoseThatAreRead_isShownWithItsOutput() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.grow(1, 1, 9_000);
            try (Browser browser = open(console)) {
                String job = console.name("job");
                String page = "document.querySelector('.job').textContent";
                show(browser, "#/jobs/" + job + "?task=" + job + "%2Fmain%2F7000");
                awaitHas(browser, page, job + "/main/7000  RUNNING, attempt 1");
                awaitHas(browser, "document.querySelector('.log').textContent", "the recorded task wrote this line");
                show(browser, "#/jobs/" + job + "?task=another%2Fmain%2F7000");
                awaitHas(browser, page, "There is no task another/main/7000.");
            }
        }
    }

    @Test
    void thePageOfAJobThatHasEnded_isWholeAlsoIfOneOfItsRequestsFailedOnce() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            String job = console.name("job");
            console.refuse("/v1/jobs/" + job + ":explain", 503);
            show(browser, "#/jobs/" + job);
            awaitText(browser, requests("/v1/jobs/" + job + ":explain"), "1");
            awaitAnswers(browser);
            console.refuseNothing();
            awaitTicking(browser, "document.querySelector('.job .summary')?.textContent", "FINISHED");
        }
    }

    @Test
    void theConnection_saysWhatAServerAnswers_andIsNotReadOutEachSecond() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.refuse("/v1/cell", 503);
            try (Browser browser = begin(console, "")) {
                String said = "document.querySelector('#connection').textContent";
                String live = "document.querySelector('#connection').getAttribute('aria-live')";
                awaitText(browser, said, "Not now, trying again");
                console.refuseNothing();
                awaitText(browser, said, "live");
                assertThat(browser.evaluate(live)).isEqualTo("polite");
                console.refuse("/v1/cell", 503);
                console.cutTheFeed();
                awaitHas(browser, said, "this is as of 0 s ago");
                assertThat(browser.evaluate(live)).isEqualTo("polite");
                setTheClock(browser, console.recordedMillis() + 5_000);
                tick(browser);
                awaitHas(browser, said, "this is as of 5 s ago");
                assertThat(browser.evaluate(live)).isEqualTo("off");
            }
        }
    }

    /** A server that is slow after an outage is waited for; one that says nothing for 12 s is asked again. */
    @Test
    void theFeed_isBackAfterALongOutage_alsoFromASlowServer() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            long now = console.recordedMillis();
            console.hold("/v1/cell");
            try (Browser browser = begin(console, "")) {
                assertThat(console.isHeld("/v1/cell")).isTrue();
                tick(browser);
                assertThat(browser.evaluate("unanswered")).isEqualTo("1");
                setTheClock(browser, now + 13_000);
                tick(browser);
                awaitText(browser, requests("/v1/cell"), "2");
                console.release("/v1/cell");
                awaitText(browser, LIVE, "live");

                console.refuse("/v1/cell", 503);
                console.cutTheFeed();
                awaitText(browser, LIVE, "lost");
                setTheClock(browser, now + 30_000);
                int asked = Integer.parseInt(browser.evaluate(requests("/v1/cell")));
                awaitText(browser, requests("/v1/cell") + " >= " + (asked + 2), "true");
                console.hold("/v1/cell");
                console.refuseNothing();
                assertThat(console.isHeld("/v1/cell")).isTrue();
                tick(browser);
                assertThat(browser.evaluate("unanswered")).isEqualTo("1");
                console.release("/v1/cell");
                awaitText(browser, LIVE, "live");
            }
        }
    }

    /** A browser has six connections to a server for all tabs: a view that was left, or is not seen, keeps none of them. */
    @Test
    void theFeedAndOutput_areFollowedOnlyWhereTheyAreSeen() throws Exception {
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = openWithOurClock(console)) {
            String job = "#/jobs/" + console.name("job");
            console.hold("/v1/timeline");
            show(browser, job);
            assertThat(console.isHeld("/v1/timeline")).isTrue();
            show(browser, "#/");
            awaitText(browser, "document.querySelector('.overview') !== null", "true");
            console.release("/v1/timeline");
            awaitAnswers(browser);
            String followed = "begun.filter(({path, signal}) => /:logs|feed/.test(path) && !signal.aborted).length";
            assertThat(browser.evaluate(followed)).as("the feed").isEqualTo("1");

            show(browser, job);
            awaitText(browser, followed, "2");
            beSeen(browser, false);
            awaitTicking(browser, followed, "0");
            awaitText(browser, LIVE, "live");
            beSeen(browser, true);
            awaitText(browser, followed, "2");
            awaitHas(browser, "document.querySelector('.log').textContent", "the recorded task wrote this line");
        }
    }

    private static void beSeen(Browser browser, boolean isSeen) throws Exception {
        browser.evaluate("Object.defineProperty(document, 'hidden', {value: " + !isSeen
                + ", configurable: true}), document.dispatchEvent(new Event('visibilitychange'))");
    }

    private static void setTheClock(Browser browser, long millis) throws Exception {
        browser.evaluate("Date.now = () => " + millis);
    }

    /** The interval of each part of the page passes once. */
    private static void tick(Browser browser) throws Exception {
        browser.evaluate("intervals.forEach(act => act())");
    }

    private static void awaitTicking(Browser browser, String expression, String expected) {
        soon(expression).untilAsserted(() -> {
            tick(browser);
            assertThat(browser.evaluate(expression)).isEqualTo(expected);
        });
    }

    /** How often the page has asked for that path. */
    private static String requests(String path) {
        return "asked.filter(path => path.split('?')[0] === '" + path + "').length";
    }

    private static void awaitAnswers(Browser browser) {
        awaitText(browser, "unanswered", "0");
    }

    private static void awaitProblem(Browser browser, String words) {
        awaitText(browser, "document.querySelector('#view .problem a[href^=\"#/\"]') !== null", "true");
        awaitHas(browser, "document.querySelector('#view .problem').textContent", words);
    }

    private static void show(Browser browser, String hash) throws Exception {
        browser.evaluate("location.hash = '" + hash + "'");
    }

    private static void press(Browser browser, String key) throws Exception {
        browser.evaluate("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '" + key
                + "', bubbles: true}))");
    }

    /** Asks at once, and often: most of what is asked for is there. */
    private static ConditionFactory soon(String what) {
        return await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(90));
    }

    private static void awaitText(Browser browser, String expression, String expected) {
        soon(expression)
                .untilAsserted(() -> assertThat(browser.evaluate(expression)).isEqualTo(expected));
    }

    private static void awaitHas(Browser browser, String expression, String part) {
        soon(expression)
                .untilAsserted(() -> assertThat(browser.evaluate(expression)).contains(part));
    }
}
