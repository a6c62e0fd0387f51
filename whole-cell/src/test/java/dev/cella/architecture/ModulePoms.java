package dev.cella.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The edges between modules in Maven: every dependency on one of our modules, in any scope. */
final class ModulePoms {
    /** Anywhere in a pom: two of them are in a profile. */
    private static final String MODULES = "//modules/module";

    private static final String OUR_DEPENDENCIES = "/project/dependencies/dependency[groupId='dev.cella']/artifactId";
    private static final String ARTIFACT_PREFIX = "cella-";

    private ModulePoms() {}

    static Edges edges(Path root) {
        Map<String, Set<String>> usesByModule = new LinkedHashMap<>();
        for (String module : texts(root, MODULES)) {
            Set<String> uses = new LinkedHashSet<>();
            for (String artifact : texts(root.resolve(module), OUR_DEPENDENCIES)) {
                uses.add(artifact.substring(ARTIFACT_PREFIX.length()));
            }
            usesByModule.put(module, uses);
        }
        return new Edges(usesByModule);
    }

    private static Set<String> texts(Path directory, String expression) {
        Path pom = directory.resolve("pom.xml");
        try {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
            NodeList nodes = (NodeList)
                    XPathFactory.newInstance().newXPath().evaluate(expression, document, XPathConstants.NODESET);
            Set<String> texts = new LinkedHashSet<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                texts.add(nodes.item(i).getTextContent());
            }
            return texts;
        } catch (IOException | ParserConfigurationException | SAXException | XPathExpressionException e) {
            throw new IllegalStateException("reading " + pom, e);
        }
    }
}
