package dev.cella.bench.cell;

import dev.cella.state.core.DurableFiles;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A Chromium without a window, on a profile of its own, and what it takes of the machine. */
public final class BrowserProcess implements Closeable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final String LISTENING = "DevTools listening on ";
    private static final String PSS = "Pss:";
    private static final int KIB_PER_MIB = 1024;
    private static final long ENDS_SECONDS_MAX = 5;

    private final Process process;
    private final Path profile;
    private final CompletableFuture<URI> tools = new CompletableFuture<>();

    private BrowserProcess(Process process, Path profile) {
        this.process = process;
        this.profile = profile;
    }

    /** Where a browser is installed, if one is. */
    public static Optional<Path> installed() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens the page with a new profile. */
    public static BrowserProcess open(Path program, String address) throws IOException {
        Path profile = Files.createTempDirectory("cella-browser");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--window-size=1600,1000",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        address)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        BrowserProcess browser = new BrowserProcess(process, profile);
        Thread reader = new Thread(browser::readMessages, "browser-messages");
        reader.setDaemon(true);
        reader.start();
        return browser;
    }

    /** Reads to the end, so that the browser never waits for a reader. */
    private void readMessages() {
        try (BufferedReader messages = process.errorReader()) {
            for (String line = messages.readLine(); line != null; line = messages.readLine()) {
                if (line.startsWith(LISTENING)) {
                    tools.complete(URI.create(line.substring(LISTENING.length())));
                }
            }
            tools.completeExceptionally(new IOException("the browser ended before it said where it listens"));
        } catch (IOException failure) {
            tools.completeExceptionally(failure);
        }
    }

    /** Waits until its developer tools listen, and returns where. */
    public URI tools() throws IOException {
        try {
            return tools.join();
        } catch (CompletionException failure) {
            throw new IOException("the browser's developer tools do not listen", failure);
        }
    }

    private Stream<ProcessHandle> all() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants());
    }

    /** The processor time of all its processes since their start. */
    Duration cpu() {
        return all().map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** The memory of all its processes, in MiB. Memory that they share is divided among them, as in PSS. */
    double mebibytes() {
        return mebibytes(command -> true);
    }

    /** The memory of the process that runs the page. */
    double pageMebibytes() {
        return mebibytes(command -> command.contains("--type=renderer"));
    }

    private double mebibytes(Predicate<String> counted) {
        return all().mapToLong(ProcessHandle::pid)
                        .map(pid -> pssKib(Path.of("/proc", String.valueOf(pid)), counted))
                        .sum()
                / (double) KIB_PER_MIB;
    }

    private static long pssKib(Path process, Predicate<String> counted) {
        try {
            if (!counted.test(Files.readString(process.resolve("cmdline")).replace('\0', ' '))) {
                return 0;
            }
            return Files.readAllLines(process.resolve("smaps_rollup")).stream()
                    .filter(line -> line.startsWith(PSS))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (NoSuchFileException ended) {
            return 0;
        } catch (IOException failure) {
            throw new UncheckedIOException("the memory of process " + process + " cannot be read", failure);
        }
    }

    /** Ends all its processes, and removes the profile when none of them can write to it any more. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly().onExit().join();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit()
                .completeOnTimeout(child, ENDS_SECONDS_MAX, TimeUnit.SECONDS)
                .join());
        DurableFiles.removeTree(profile);
    }
}
