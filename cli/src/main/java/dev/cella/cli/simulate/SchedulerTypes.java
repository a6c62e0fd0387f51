package dev.cella.cli.simulate;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.scheduling.SchedulerProvider;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The types of scheduler there are: those that come with Cella, and those of the jars that the user names. */
final class SchedulerTypes {
    private SchedulerTypes() {}

    static List<SchedulerProvider> load(Terminal terminal, List<String> plugins) {
        List<SchedulerProvider> types = new ArrayList<>();
        ServiceLoader.load(SchedulerProvider.class).forEach(types::add);
        for (String plugin : plugins) {
            types.add(load(terminal.environment().path(plugin), plugin, types));
        }
        return types;
    }

    private static SchedulerProvider load(Path jar, String plugin, List<SchedulerProvider> known) {
        List<SchedulerProvider> offered = new ArrayList<>();
        try {
            ClassLoader parent = SchedulerTypes.class.getClassLoader();
            ServiceLoader.load(SchedulerProvider.class, new URLClassLoader(new URL[] {url(jar, plugin)}, parent))
                    .forEach(offered::add);
        } catch (ServiceConfigurationError broken) {
            throw CommandFailure.failed(plugin + " offers a scheduler that cannot be made: " + broken.getMessage(), "");
        }
        offered.removeIf(provider -> provider.getClass().getClassLoader() == SchedulerTypes.class.getClassLoader());
        if (offered.size() != 1) {
            throw CommandFailure.failed(
                    plugin + " offers " + offered.size() + " scheduler types, not one",
                    "name one class in its META-INF/services/" + SchedulerProvider.class.getName());
        }
        return checkNew(offered.get(0), plugin, known);
    }

    private static URL url(Path jar, String plugin) {
        if (!Files.isReadable(jar)) {
            throw CommandFailure.failed("there is no readable file " + plugin, "--plugin takes a jar");
        }
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("the path of a file is no URL: " + jar, e);
        }
    }

    private static SchedulerProvider checkNew(SchedulerProvider offered, String plugin, List<SchedulerProvider> known) {
        if (known.stream().anyMatch(type -> type.type().equals(offered.type()))) {
            throw CommandFailure.failed(
                    plugin + " offers the type " + offered.type() + ", which there is already", "rename its type()");
        }
        return offered;
    }
}
