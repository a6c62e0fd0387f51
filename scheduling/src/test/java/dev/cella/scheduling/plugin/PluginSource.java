package dev.cella.scheduling.plugin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A plug-in in source form, correct except for what a test changes: sources in, a jar out. */
final class PluginSource {
    private final Map<String, String> classes = new LinkedHashMap<>();
    private final List<String> left = new ArrayList<>();
    private String services = "";
    private String api = "1";

    /** A provider of the type, in the class {@code author.Provider}. */
    static PluginSource of(String type) {
        return provider("\"" + type + "\"", "List.of()", "planner.scheduler()");
    }

    /**
     * A provider whose methods return these expressions; {@code create} can use {@code options} and a {@code planner}.
     */
    static PluginSource provider(String type, String options, String create) {
        return new PluginSource().services("author.Provider").type("author.Provider", """
                package author;
                import dev.cella.scheduling.*;
                import dev.cella.transactions.model.*;
                import java.util.*;
                public final class Provider implements SchedulerProvider {
                    public String type() { return %s; }
                    public List<SchedulerOption> options() { return %s; }
                    public Scheduler<?> create(SchedulerOptions options) {
                        JobPlanner planner = (work, cell, random) -> List.of();
                        return %s;
                    }
                }
                """.formatted(
                        type, options, create));
    }

    /** Another class. */
    PluginSource type(String name, String source) {
        classes.put(name, source);
        return this;
    }

    /** Files that are compiled and then left out of the jar. */
    PluginSource without(String name) {
        left.add(name);
        return this;
    }

    /** The text of the services file; none if it is empty. */
    PluginSource services(String text) {
        services = text;
        return this;
    }

    /** The manifest's statement about the API; nothing if it is empty. */
    PluginSource api(String version) {
        api = version;
        return this;
    }

    Path jar(Path folder, String name) throws IOException {
        Path compiled = Files.createTempDirectory(folder, "classes");
        compile(compiled);
        Path jar = folder.resolve(name);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!api.isEmpty()) {
            manifest.getMainAttributes().putValue("Cella-Scheduler-Api", api);
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            if (!services.isEmpty()) {
                add(entries, PluginJar.SERVICES, services.getBytes(StandardCharsets.UTF_8));
            }
            addClasses(entries, compiled);
        }
        return jar;
    }

    private void addClasses(JarOutputStream entries, Path compiled) throws IOException {
        try (Stream<Path> files = Files.walk(compiled)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = compiled.relativize(file).toString();
                if (!left.contains(name.replace('/', '.').replace(".class", ""))) {
                    add(entries, name, Files.readAllBytes(file));
                }
            }
        }
    }

    private static void add(JarOutputStream entries, String name, byte[] bytes) throws IOException {
        entries.putNextEntry(new JarEntry(name));
        entries.write(bytes);
        entries.closeEntry();
    }

    private void compile(Path into) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-proc:none", "-d", into.toString(), "-classpath", System.getProperty("java.class.path"));
            List<JavaFileObject> sources = new ArrayList<>();
            classes.forEach((name, text) -> sources.add(new Source(name, text)));
            boolean done = compiler.getTask(
                            new OutputStreamWriter(said, StandardCharsets.UTF_8), files, null, options, null, sources)
                    .call();
            if (!done) {
                throw new AssertionError(said.toString(StandardCharsets.UTF_8));
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
