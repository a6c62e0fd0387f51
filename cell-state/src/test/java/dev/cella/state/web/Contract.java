package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.client.proto.CellServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Every route and every method of gRPC that a cell offers, so that a new one is tested as well. */
final class Contract {
    private static final String PROTO = "dev/cella/client/proto";
    private static final String SERVICE_SUFFIX = "ServiceGrpc.class";

    private Contract() {}

    /** A verb, and a path with a name in place of each parameter. */
    record Route(String verb, String path) {
        boolean isRead() {
            return verb.equals("GET");
        }

        @Override
        public String toString() {
            return verb + " " + path;
        }
    }

    static List<Route> routes(JsonNode openApi) {
        List<Route> routes = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : openApi.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
                String filled = path.getKey().replaceAll("\\{[^}]*}", "x");
                routes.add(new Route(verb.getKey().toUpperCase(Locale.ROOT), filled));
            }
        }
        routes.removeIf(route -> !route.path().startsWith("/v1/"));
        assertThat(routes).hasSizeGreaterThan(40);
        return routes;
    }

    static List<MethodDescriptor<?, ?>> methods() {
        List<MethodDescriptor<?, ?>> methods = new ArrayList<>();
        services().forEach(service -> methods.addAll(service.getMethods()));
        assertThat(methods).hasSizeGreaterThan(40);
        return methods;
    }

    /** Read from the generated classes, which are in a folder or in a jar. */
    private static List<ServiceDescriptor> services() {
        try {
            URI classes = CellServiceGrpc.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
            Path root = Path.of(classes);
            if (Files.isDirectory(root)) {
                return services(root.resolve(PROTO));
            }
            try (FileSystem jar = FileSystems.newFileSystem(root)) {
                return services(jar.getPath(PROTO));
            }
        } catch (IOException | URISyntaxException failure) {
            throw new AssertionError(failure);
        }
    }

    private static List<ServiceDescriptor> services(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SERVICE_SUFFIX))
                    .sorted()
                    .map(Contract::service)
                    .toList();
        }
    }

    private static ServiceDescriptor service(String file) {
        String name = PROTO.replace('/', '.') + "." + file.replace(".class", "");
        try {
            return (ServiceDescriptor)
                    Class.forName(name).getMethod("getServiceDescriptor").invoke(null);
        } catch (ReflectiveOperationException failure) {
            throw new LinkageError("no service in " + file, failure);
        }
    }
}
