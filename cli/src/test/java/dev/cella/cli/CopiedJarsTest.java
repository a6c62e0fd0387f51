package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** The folder of jars that the command runs from: Maven only adds to it, and a jar of an earlier build would stand beside them. */
class CopiedJarsTest {
    private static final String PLUGIN = "/project/build/plugins/plugin[artifactId='%s']//%s";

    private final XPath paths = XPathFactory.newInstance().newXPath();

    @Test
    void theirFolder_isEmptiedBeforeTheyAreCopied() throws Exception {
        String copied = read("maven-dependency-plugin", "outputDirectory");
        assertThat(copied).endsWith("/lib");
        assertThat(read("maven-dependency-plugin", "phase")).isEqualTo("package");
        assertThat(read("maven-clean-plugin", "phase")).isEqualTo("prepare-package");
        assertThat(read("maven-clean-plugin", "fileset/directory")).isEqualTo(copied);
        assertThat(read("maven-clean-plugin", "excludeDefaultDirectories")).isEqualTo("true");
    }

    private String read(String plugin, String element) throws Exception {
        Document pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("pom.xml").toFile());
        return paths.evaluate(PLUGIN.formatted(plugin, element), pom);
    }
}
