package dev.cella.chaos.sabotage;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Cella with one bug: the patched file is compiled into a directory of its own, which comes before the sound classes on the
 * class path of a class loader of its own. Nothing of the sound build changes.
 */
final class SabotagedBuild implements AutoCloseable {
    private final URLClassLoader classes;

    private SabotagedBuild(URLClassLoader classes) {
        this.classes = classes;
    }

    static SabotagedBuild of(Sabotage sabotage, Path root, Path into) throws IOException {
        Path source = into.resolve("src").resolve(sabotage.file());
        Path output = Files.createDirectories(into.resolve("classes"));
        Files.createDirectories(source.getParent());
        Files.writeString(source, sabotage.appliedTo(root));
        compile(source, output);
        return new SabotagedBuild(new URLClassLoader(urls(output), ClassLoader.getPlatformClassLoader()));
    }

    private static void compile(Path source, Path output) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-cp", System.getProperty("java.class.path"), "-d", output.toString(), "-proc:none", "-nowarn");
            boolean compiled = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("the patched " + source.getFileName() + " does not compile: " + said);
            }
        }
    }

    private static URL[] urls(Path first) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        urls.add(first.toUri().toURL());
        StringTokenizer path = new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
        while (path.hasMoreTokens()) {
            urls.add(Path.of(path.nextToken()).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    /** Runs seeds of the scenario until one fails. Answers what {@link UntilFound#run} does. */
    String untilFound(String scenario, long secondsMax) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            return (String) classes.loadClass(UntilFound.class.getName())
                    .getMethod("run", String.class, long.class)
                    .invoke(null, scenario, secondsMax);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() throws IOException {
        classes.close();
    }
}
