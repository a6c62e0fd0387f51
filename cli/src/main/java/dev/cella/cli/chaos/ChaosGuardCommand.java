package dev.cella.cli.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.chaos.processes.FaultGuard;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.cli.part.ChaosSwitch;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Interruption;
import dev.cella.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The process that executes a fault for {@code cella chaos inject}; nobody types it. */
@Command(name = "guard", hidden = true, header = "Executes one fault while its lease is renewed.")
public final class ChaosGuardCommand implements Callable<Integer> {
    /** The lines that it prints. */
    static final String BEGUN = "begun";

    static final String ENDED = "ended";
    static final String LOST = "lost ";
    static final String VOID = "void ";
    static final String LAPSED = "lapsed after ";

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "FAULT", description = "the fault")
    private String fault = "";

    @Parameters(index = "1..*", paramLabel = "PID", description = "the processes")
    private List<Long> pids = List.of();

    @Option(names = "--for", paramLabel = "DURATION", required = true, description = "how long it lasts at most")
    private Duration length = Duration.ZERO;

    public ChaosGuardCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        BufferedReader renewals = new BufferedReader(new InputStreamReader(terminal.in(), UTF_8));
        FaultKind kind = FaultKind.find(fault).orElseThrow();
        FaultGuard guard = new FaultGuard(kind, pids, ChaosSwitch.targets(terminal.environment()), length, renewals);
        CountDownLatch over = new CountDownLatch(1);
        Interruption interruption = Interruption.answeredBy(() -> {
            guard.end();
            await(over);
        });
        try {
            say(lastLine(guard.run(() -> say(BEGUN))));
        } finally {
            over.countDown();
            interruption.close();
        }
        return ExitCode.DONE.number();
    }

    private static String lastLine(FaultGuard.Ended ended) {
        if (!ended.lost().isEmpty()) {
            return LOST + String.join(", ", ended.lost());
        }
        if (ended.lapsed()) {
            return LAPSED + ended.lastedMillis() + " ms";
        }
        return ended.whyVoid().isEmpty() ? ENDED + " " + String.join("; ", ended.successors()) : VOID + ended.whyVoid();
    }

    private static void await(CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String line) {
        terminal.print(line);
        terminal.out().flush();
    }
}
