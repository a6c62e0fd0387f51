package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The plug-in with a bug that docs/chaos.md follows: the project that {@code cella scheduler new} writes, with a planner that
 * remembers each job that it has planned and leaves it alone from then on. A task that is refused or lost later is never placed.
 */
final class ForgetfulPlugin {
    static final String TYPE = "mine";

    private static final String BEFORE = "        List<Unplaced> left = new ArrayList<>();\n";
    private static final String BUG = """
                    if (!planned.add(work.id())) {
                        return List.of();
                    }
            """;
    private static final String FIELD = "    private final int draws;\n";
    private static final String MEMORY =
            "    private final java.util.Set<Object> planned = new java.util.HashSet<>();\n";

    private ForgetfulPlugin() {}

    /** Makes {@code mine.jar} in the folder. */
    static void jar(Path folder) throws IOException {
        TypedCommand typed = new TypedCommand(folder);
        int code = new CellaCommand(typed.terminal())
                .run("scheduler", "new", TYPE, "--repository", "https://maven.example.com/releases");
        assertThat(code).as(typed.err()).isZero();
        Path main = folder.resolve("mine/src/main");
        Path planner = main.resolve("java/com/example/mine/MinePlanner.java");
        Files.writeString(
                planner, Files.readString(planner).replace(BEFORE, BUG + BEFORE).replace(FIELD, FIELD + MEMORY));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        compile(filesBelow(main.resolve("java")), classes);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Cella-Scheduler-Api", "1");
        try (OutputStream out = Files.newOutputStream(folder.resolve("mine.jar"));
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            addAll(entries, classes);
            addAll(entries, main.resolve("resources"));
        }
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void compile(List<Path> sources, Path into) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                OutputStreamWriter writer = new OutputStreamWriter(said, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-proc:none", "-d", into.toString(), "-classpath", System.getProperty("java.class.path"));
            boolean done = compiler.getTask(
                            writer, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(done).as(said.toString(StandardCharsets.UTF_8)).isTrue();
        }
    }

    private static void addAll(JarOutputStream entries, Path folder) throws IOException {
        for (Path file : filesBelow(folder)) {
            entries.putNextEntry(new JarEntry(folder.relativize(file).toString()));
            entries.write(Files.readAllBytes(file));
            entries.closeEntry();
        }
    }
}
