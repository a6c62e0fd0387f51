package dev.cella.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A command starts fast because what it asks a cell with stands on little: shown by taking everything else away. */
class HttpCellClassPathTest {
    @Test
    void call_needsNeitherArmeriaNorGrpcNorNetty() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                        () -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, "{\"name\": \"dev\", \"version\": 7}"));
                URLClassLoader bare = new URLClassLoader(bareClassPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> kind = bare.loadClass(HttpCell.class.getName());
            Object cell = kind.getConstructor(URI.class).newInstance(server.address());

            Object answer = kind.getMethod("getCell").invoke(cell);

            assertThat(kind.getClassLoader()).isSameAs(bare);
            assertThat(answer.toString()).contains("name: \"dev\"", "version: 7");
        }
    }

    private static URL[] bareClassPath() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().matches("(armeria|grpc|netty|guava).*"))
                .map(HttpCellClassPathTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(entry, impossible);
        }
    }
}
