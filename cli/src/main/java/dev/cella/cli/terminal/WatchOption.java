package dev.cella.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The flag of every command that shows a list: show it once, or repeatedly. */
public final class WatchOption {
    @Option(names = "--watch", description = "show it again every 2 s, until Ctrl-C")
    private boolean watch;

    private final Duration period;

    public WatchOption() {
        this(Duration.ofSeconds(2));
    }

    WatchOption(Duration period) {
        this.period = period;
    }

    public boolean isOn() {
        return watch;
    }

    /** On a terminal each screen replaces the previous one; in a pipe it follows after an empty line. */
    public ExitCode run(Terminal terminal, Consumer<Terminal> show) throws InterruptedException {
        if (!watch) {
            show.accept(terminal);
            return ExitCode.DONE;
        }
        LiveView view =
                new LiveView(terminal, isFirst -> draw(terminal, Screen.of(terminal.environment()), show, isFirst));
        while (!terminal.out().checkError()) {
            view.draw();
            Thread.sleep(period.toMillis());
        }
        return ExitCode.DONE;
    }

    /** On a terminal messages are a part of the screen: those that come before it is cleared would be lost. */
    static void draw(Terminal terminal, Screen screen, Consumer<Terminal> show, boolean isFirst) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Terminal page = screen.isTerminal() ? terminal.onOnePage(text) : terminal.withOutput(text);
        show.accept(page);
        page.out().flush();
        terminal.out().print(screen.isTerminal() ? screen.cleared() : isFirst ? "" : "\n");
        terminal.out().print(text.toString(UTF_8));
        terminal.out().flush();
    }
}
