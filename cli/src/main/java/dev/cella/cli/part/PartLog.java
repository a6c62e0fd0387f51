package dev.cella.cli.part;

import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The log of this process's parts, for operators: on standard error, or in a file if the terminal belongs to a person. A main
 * calls it before anything is logged, because the first line fixes it.
 */
public final class PartLog {
    private PartLog() {}

    public static void toStandardError() {
        begin(Optional.empty());
    }

    public static void toFile(Path file) {
        begin(Optional.of(file));
    }

    private static void begin(Optional<Path> file) {
        file.ifPresent(path -> System.setProperty("cella.log.file", path.toString()));
        System.setProperty(
                "logback.configurationFile", file.isPresent() ? "logback-file.xml" : "logback-standard-error.xml");
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
