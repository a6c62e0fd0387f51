package dev.cella.scheduling.plugin;

import dev.cella.scheduling.SchedulerApi;
import dev.cella.scheduling.SchedulerProvider;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A jar that offers scheduler types. Its manifest states the version of the API it was built against. A file under {@code
 * META-INF/services} names a {@link SchedulerProvider} for each type. Everything else that it needs is in the jar or in the
 * {@link PublicSurface}.
 *
 * <p>As much as possible is checked before its first class is loaded, because the JVM's messages about classes that do not
 * link do not show which line to change. Its classes stay loaded as long as the process runs.
 */
final class PluginJar {
    static final String SERVICES = "META-INF/services/" + SchedulerProvider.class.getName();

    private static final String PROVIDERS =
            "name in " + SERVICES + " each public class of the jar that implements SchedulerProvider and has a public"
                    + " constructor without arguments";

    private final Path file;

    PluginJar(Path file) {
        this.file = file;
    }

    /** Its providers, one per type, after their first answers were checked. */
    List<SchedulerProvider> load() {
        checkFile();
        return providers().stream()
                .map(provider -> (SchedulerProvider) new PluginProvider(file, provider))
                .toList();
    }

    private void checkFile() {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new PluginRefusedException(
                    "there is no file " + file + " to read", "--plugin takes a jar that offers a scheduler type");
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            if (jar.getEntry(SERVICES) == null) {
                throw new PluginRefusedException(
                        file + " offers no scheduler: it has no " + SERVICES,
                        "add that file to its sources, under src/main/resources; in it the name of the class that"
                                + " implements SchedulerProvider");
            }
            checkApi(jar.getManifest());
        } catch (ZipException notAJar) {
            throw new PluginRefusedException(
                    file + " is not a jar (" + notAJar.getMessage() + ")",
                    "--plugin takes a jar that offers a scheduler type");
        } catch (IOException unreadable) {
            throw new PluginRefusedException(file + " cannot be read: " + unreadable.getMessage(), "", unreadable);
        }
    }

    private void checkApi(@Nullable Manifest manifest) {
        String built = manifest == null ? null : manifest.getMainAttributes().getValue(SchedulerApi.MANIFEST_ENTRY);
        if (built == null) {
            throw new PluginRefusedException(
                    file + " does not say which version of the scheduler API it was built against",
                    "add " + SchedulerApi.MANIFEST_ENTRY + ": " + SchedulerApi.VERSION + " to its META-INF/MANIFEST.MF;"
                            + " docs/schedulers/write-one.md shows how a pom does that");
        }
        if (!built.equals(String.valueOf(SchedulerApi.VERSION))) {
            throw new PluginRefusedException(
                    file + " was built against version " + built + " of the scheduler API, and this is version "
                            + SchedulerApi.VERSION,
                    "build it against this Cella's cella-scheduling, and say " + SchedulerApi.MANIFEST_ENTRY + ": "
                            + SchedulerApi.VERSION + " in its manifest");
        }
    }

    private List<SchedulerProvider> providers() {
        try {
            List<SchedulerProvider> offered = ServiceLoader.load(SchedulerProvider.class, classLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
            if (offered.isEmpty()) {
                throw new PluginRefusedException(file + ": " + SERVICES + " names no class", PROVIDERS);
            }
            return offered;
        } catch (ServiceConfigurationError fault) {
            throw describe(fault);
        } catch (LinkageError fault) {
            throw PluginProvider.fault(file, SERVICES, fault);
        }
    }

    /** The JDK's message names the class; the cause is the exception from its constructor. */
    private PluginRefusedException describe(ServiceConfigurationError fault) {
        String said = String.valueOf(fault.getMessage());
        String what = SERVICES + ": " + said.substring(said.indexOf(": ") + 2);
        Throwable cause = fault.getCause();
        return cause == null || cause instanceof ReflectiveOperationException
                ? new PluginRefusedException(file + ": " + what, PROVIDERS, fault)
                : PluginProvider.fault(file, what + ": it", cause);
    }

    private ClassLoader classLoader() {
        return new URLClassLoader(
                "plugin " + file.getFileName(), new URL[] {url()}, new PublicSurface(PluginJar.class.getClassLoader()));
    }

    private URL url() {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException("the path of a file is no URL: " + file, impossible);
        }
    }
}
