package dev.cella.cli.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The files of the project of a scheduler type: templates that are filled with its names. */
final class PluginProject {
    private static final String TEMPLATES = "project/";
    private static final String MAIN = "src/main/java/";
    private static final String TEST = "src/test/java/";

    private final PluginNames names;
    private final Map<String, String> values = new LinkedHashMap<>();

    /**
     * A project that is not written yet.
     *
     * @param repository the address of a Maven repository with Cella's jars
     */
    PluginProject(PluginNames names, String version, int api, String repository) {
        this.names = names;
        values.put("type", names.type());
        values.put("artifact", names.artifact());
        values.put("package", names.packageName());
        values.put("prefix", names.prefix());
        values.put("sources", folder(MAIN));
        values.put("tests", folder(TEST));
        values.put("version", version);
        values.put("api", String.valueOf(api));
        values.put("repository", repository.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private String folder(String root) {
        return root + names.packageName().replace('.', '/');
    }

    String planner() {
        return folder(MAIN) + "/" + names.prefix() + "Planner.java";
    }

    String provider() {
        return folder(MAIN) + "/" + names.prefix() + "Provider.java";
    }

    String test() {
        return folder(TEST) + "/" + names.prefix() + "Test.java";
    }

    String jar() {
        return "target/" + names.artifact() + ".jar";
    }

    void write(Path folder) throws IOException {
        for (Map.Entry<String, String> each : templates().entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, fill(read(each.getValue())));
        }
    }

    /** The templates by the file that each becomes. */
    private Map<String, String> templates() {
        Map<String, String> templates = new LinkedHashMap<>();
        templates.put("pom.xml", "pom.xml");
        templates.put("job.yaml", "job.yaml");
        templates.put("README.md", "README.md");
        templates.put(".gitignore", "gitignore");
        templates.put("src/main/resources/META-INF/services/dev.cella.scheduling.SchedulerProvider", "services");
        templates.put(planner(), "Planner.java.txt");
        templates.put(provider(), "Provider.java.txt");
        templates.put(test(), "Test.java.txt");
        return templates;
    }

    private String fill(String template) {
        String text = template;
        for (Map.Entry<String, String> each : values.entrySet()) {
            text = text.replace("{{" + each.getKey() + "}}", each.getValue());
        }
        return text;
    }

    private static String read(String template) {
        try (InputStream resource = PluginProject.class.getResourceAsStream(TEMPLATES + template)) {
            if (resource == null) {
                throw new IllegalStateException("the build has no template " + template);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("reading the template " + template, unreadable);
        }
    }
}
