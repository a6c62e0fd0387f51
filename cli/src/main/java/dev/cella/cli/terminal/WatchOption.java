package dev.cella.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The flag of every command that shows a list: show it once, or repeatedly. */
public final class WatchOption {
    private static final Duration PERIOD = Duration.ofSeconds(2);

    @Option(names = "--watch", description = "show it again every 2 s, until Ctrl-C")
    private boolean watch;

    /** On a terminal each screen replaces the previous one; in a pipe it follows after an empty line. */
    public ExitCode run(Terminal terminal, Consumer<Terminal> show) throws InterruptedException {
        if (!watch) {
            show.accept(terminal);
            return ExitCode.DONE;
        }
        for (boolean first = true; !terminal.out().checkError(); first = false) {
            draw(terminal, show, first);
            Thread.sleep(PERIOD.toMillis());
        }
        return ExitCode.DONE;
    }

    private static void draw(Terminal terminal, Consumer<Terminal> show, boolean first) {
        Screen screen = Screen.of(terminal.environment());
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Terminal page = terminal.withOutput(text);
        show.accept(page);
        page.out().flush();
        terminal.out().print(screen.isTerminal() ? screen.cleared() : first ? "" : "\n");
        terminal.out().print(text.toString(UTF_8));
        terminal.out().flush();
    }
}
