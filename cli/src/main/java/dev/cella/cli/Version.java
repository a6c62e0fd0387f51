package dev.cella.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, which Maven writes into a resource beside this class. */
final class Version {
    private static final String RESOURCE = "version.properties";

    private Version() {}

    static String current() {
        try (InputStream resource = Version.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the build");
            }
            Properties properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + RESOURCE, e);
        }
    }
}
