package dev.cella.cli;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A Chromium without a window, on a profile of its own, which is removed when it ends. */
final class BrowserProcess implements Closeable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final String LISTENING = "DevTools listening on ";

    private final Process process;
    private final Path profile;
    private final URI tools;

    private BrowserProcess(Process process, Path profile, URI tools) {
        this.process = process;
        this.profile = profile;
        this.tools = tools;
    }

    /** Where a browser is installed, if one is. */
    static Optional<Path> installed() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static BrowserProcess start(Path program) throws IOException {
        Path profile = Files.createTempDirectory("browser");
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
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return new BrowserProcess(process, profile, tools(process));
        } catch (IOException failure) {
            end(process, profile);
            throw failure;
        }
    }

    private static URI tools(Process process) throws IOException {
        BufferedReader messages =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        for (String line = messages.readLine(); line != null; line = messages.readLine()) {
            if (line.startsWith(LISTENING)) {
                Thread rest = new Thread(() -> messages.lines().forEach(unread -> {}), "browser-messages");
                rest.setDaemon(true);
                rest.start();
                return URI.create(line.substring(LISTENING.length()));
            }
        }
        throw new IOException("the browser ended before it said where it listens");
    }

    /** Where its developer tools listen. */
    URI tools() {
        return tools;
    }

    @Override
    public void close() throws IOException {
        end(process, profile);
    }

    private static void end(Process process, Path profile) throws IOException {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
