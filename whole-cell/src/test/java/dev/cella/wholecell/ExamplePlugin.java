package dev.cella.wholecell;

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

/** The scheduler of {@code examples/plugin-scheduler} as a jar, compiled here because the build of the project has none. */
final class ExamplePlugin {
    /** Its type. */
    static final String TYPE = "spare-core";

    private static final Path MAIN = Path.of("../examples/plugin-scheduler/src/main");

    private ExamplePlugin() {}

    /** Makes the jar in the folder. */
    static Path jar(Path folder) throws IOException {
        Path compiled = Files.createDirectories(folder.resolve("plugin-classes"));
        compile(filesBelow(MAIN.resolve("java")), compiled);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Cella-Scheduler-Api", "1");
        Path jar = folder.resolve("plugin.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            addAll(entries, compiled);
            addAll(entries, MAIN.resolve("resources"));
        }
        return jar;
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
            if (!done) {
                throw new AssertionError(said.toString(StandardCharsets.UTF_8));
            }
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
