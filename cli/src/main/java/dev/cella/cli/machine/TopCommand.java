package dev.cella.cli.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.conflict.SchedulerTable;
import dev.cella.cli.job.JobListing;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.LiveView;
import dev.cella.cli.terminal.Screen;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.ListJobsRequest;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella top}: the cell, its schedulers and its active jobs, repeatedly. */
@Command(
        name = "top",
        header = "Shows the cell, its schedulers and the jobs at work, live, until Ctrl-C.",
        description = {
            "",
            "On a terminal the screen is drawn again each time, and cut where the window ends; in a pipe one screen"
                    + " follows the other. Programs read the same by cella status, schedulers and job list with -o json.",
            ""
        },
        footer = {"", "Examples:", "  cella top", "  cella top --times 1"})
public final class TopCommand implements Callable<Integer> {
    private static final Duration EVERY_MIN = Duration.ofMillis(100);
    private static final int JOBS_MAX = 15;

    private final Terminal terminal;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "1s",
            description = "the pause between two screens (default: 1s)")
    private Duration every = Duration.ofSeconds(1);

    @Option(names = "--times", paramLabel = "N", description = "end after N screens (default: never)")
    private @Nullable Integer times;

    @Mixin
    private final CellOption cellOption = new CellOption();

    public TopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (every.compareTo(EVERY_MIN) < 0) {
            throw CommandFailure.usage("--every is at least 100ms", "see cella top --help");
        }
        if (times != null && times < 1) {
            throw CommandFailure.usage("--times is at least 1, not " + times, "see cella top --help");
        }
        HttpCell cell = cellOption.open(terminal);
        LiveView view = new LiveView(terminal, isFirst -> show(cell));
        view.draw();
        for (int shown = 1; (times == null || shown < times) && !terminal.out().checkError(); shown++) {
            Thread.sleep(every.toMillis());
            view.draw();
        }
        return ExitCode.DONE.number();
    }

    /** Draws the whole screen at once, so that nothing flickers, in the present size of the window. */
    private void show(HttpCell cell) {
        Screen screen = Screen.of(terminal.environment());
        List<String> lines = new ArrayList<>();
        for (String line : written(page -> SummaryLines.print(cell.getCell(), cell.address(), page))) {
            lines.addAll(screen.wrapped(line, SummaryLines.HANG));
        }
        lines.addAll(written(page -> writeTables(cell, page)));
        terminal.out().print(screen.cleared());
        screen.cut(lines).forEach(terminal::print);
        terminal.out().flush();
    }

    private List<String> written(Consumer<Terminal> writer) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Terminal page = terminal.withOutput(text);
        writer.accept(page);
        page.out().flush();
        return text.toString(UTF_8).lines().toList();
    }

    private static void writeTables(HttpCell cell, Terminal page) {
        page.print("");
        SchedulerTable.printBrief(Pages.schedulers(cell), page);
        page.print("");
        List<JobStatus> jobs = atWork(cell);
        if (jobs.isEmpty()) {
            page.print("no job is at work");
        } else {
            JobListing.printBrief(jobs.subList(0, Math.min(JOBS_MAX, jobs.size())), page);
            sayHowManyMore(jobs.size(), page);
        }
        page.print("");
    }

    private static List<JobStatus> atWork(HttpCell cell) {
        ListJobsRequest request = ListJobsRequest.newBuilder()
                .addState(JobState.JOB_STATE_PENDING)
                .addState(JobState.JOB_STATE_RUNNING)
                .addState(JobState.JOB_STATE_STOPPING)
                .build();
        return Pages.jobs(cell, request).getJobsList().stream()
                .sorted(Comparator.comparingLong(JobStatus::getSubmittedVersion).reversed())
                .toList();
    }

    private static void sayHowManyMore(int jobs, Terminal page) {
        if (jobs > JOBS_MAX) {
            page.print("and " + (jobs - JOBS_MAX) + " more: cella job list");
        }
    }
}
