package dev.cella.bench.cell;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the console's page costs: a real browser has it open while schedulers place at a fixed rate. The same load runs before
 * without the page, so that the server's part can be compared.
 */
public final class PageBench {
    private static final int SCHEDULERS = 2;
    private static final int CLAIMS = 10;
    private static final Duration BLANK = Duration.ofSeconds(3);

    private PageBench() {}

    /**
     * The figures of a page.
     *
     * @param without the load without the page
     * @param with the load with the page
     * @param pageCores the processors that the whole browser used, while the load was measured
     * @param pageMebibytes the memory of the page's own process at the end
     * @param browserMebibytes the memory of the whole browser at the end, beyond what it takes with an empty page
     */
    public record Report(
            Conditions conditions,
            LoadResults without,
            LoadResults with,
            double pageCores,
            double pageMebibytes,
            double browserMebibytes) {}

    private record Moment(long nanos, Duration cpu) {}

    /**
     * Founds a cell and measures.
     *
     * @throws IOException if no browser is installed
     */
    public static Report run(Servers servers, int machines, int placementsPerSecond, Duration measured)
            throws IOException, InterruptedException {
        Path program = BrowserProcess.installed()
                .orElseThrow(() -> new IOException("no Chromium is installed (apt-get install chromium)"));
        OfferedLoad load = OfferedLoad.placing(SCHEDULERS, CLAIMS, placementsPerSecond);
        try (BenchedCell cell = BenchedCell.found(servers)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            double blank = blank(program);
            LoadResults without =
                    new Phase(cell, machines).run("without", load, measured.dividedBy(2), measured, answered -> {});
            try (BrowserProcess page =
                    BrowserProcess.open(program, cell.addresses().all().get(0) + "/")) {
                AtomicReference<@Nullable Moment> begin = new AtomicReference<>();
                LoadResults with = new Phase(cell, machines)
                        .run("with", load, measured.dividedBy(2), measured, measured, answered -> {
                            if (begin.get() == null) {
                                begin.compareAndSet(null, new Moment(System.nanoTime(), page.cpu()));
                            }
                        });
                Moment end = new Moment(System.nanoTime(), page.cpu());
                Moment since = begin.get() == null ? end : begin.get();
                double nanos = Math.max(1, end.nanos - since.nanos);
                return new Report(
                        conditions,
                        without,
                        with,
                        end.cpu.minus(since.cpu).toNanos() / nanos,
                        page.pageMebibytes(),
                        page.mebibytes() - blank);
            }
        }
    }

    private static double blank(Path program) throws IOException, InterruptedException {
        try (BrowserProcess browser = BrowserProcess.open(program, "about:blank")) {
            Thread.sleep(BLANK.toMillis());
            return browser.mebibytes();
        }
    }
}
