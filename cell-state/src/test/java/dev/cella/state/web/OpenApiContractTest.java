package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.cella.state.web.RunningCell.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares the server with {@code /openapi.json} and {@code /schemas/job.json}. */
class OpenApiContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final Map<String, String> NAMES = Map.of(
            "name",
            "api",
            "job",
            "api",
            "group",
            "main",
            "index",
            "0",
            "instance",
            "one",
            "file",
            "main.js",
            "type",
            "conflict");

    /** The requests that every cell can answer, with their required parameters. */
    private static final Map<String, String> REQUIRED = Map.of("/v1/conflicts/photo", "?version=1");

    /** Paths whose names mean nothing in this cell: their answer is a problem. */
    private static final Set<String> PROBLEMS = Set.of("/v1/conflicts/photo");

    private static JsonNode api() {
        return CELL.get("/openapi.json").json();
    }

    @BeforeAll
    static void theCellHasSomething() {
        CELL.putMachine("api", 4000, 8192);
        CELL.submit("api", 2);
        CELL.place("api-1", "api/main/0", "api");
        CELL.put("/v1/schedulers/api/sessions/one", "{\"type\":\"batch\"}");
    }

    @Test
    void everyAddressThatIsServed_isDescribed_andNothingElse() {
        Set<String> described = new TreeSet<>();
        api().get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(verb -> described.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey())));

        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(CELL.get("/docs")
                        .body()
                        .lines()
                        .map(line -> line.replace("=**", ""))
                        .toList());
    }

    @Test
    void everyRead_answersAsItsSchemaSays() {
        JsonNode api = api();
        api.get("paths").properties().forEach(path -> {
            JsonNode schema = path.getValue()
                    .at("/get/responses/2XX/content")
                    .path("application/json")
                    .path("schema");
            if (!schema.isMissingNode()) {
                Reply reply = CELL.get(address(path.getKey()));
                if (PROBLEMS.contains(path.getKey())) {
                    assertThat(faults(api, "ProblemDetails", reply.json())).isEmpty();
                } else if (reply.status() == 200) {
                    String name = schema.get("$ref").asText().replace("#/components/schemas/", "");
                    assertThat(faults(api, name, reply.json()))
                            .as(path.getKey())
                            .isEmpty();
                } else {
                    assertThat(reply.status())
                            .as(path.getKey() + " " + reply.body())
                            .isEqualTo(404);
                    assertThat(faults(api, "ProblemDetails", reply.json())).isEmpty();
                }
            }
        });
    }

    private static String address(String path) {
        String address = path;
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            address = address.replace("{" + name.getKey() + "}", name.getValue());
        }
        return address + REQUIRED.getOrDefault(path, "");
    }

    /** Proves that the schema finds a missing field or a wrong type. */
    @Test
    void theSchemas_refuseWhatTheServerWouldNotSay() {
        ObjectNode cell = (ObjectNode) CELL.get("/v1/cell").json();
        assertThat(faults(api(), "CellSummary", cell)).isEmpty();
        cell.remove("incarnation");
        assertThat(faults(api(), "CellSummary", cell)).hasSize(1);
        cell.put("version", "12");
        assertThat(faults(api(), "CellSummary", cell)).hasSize(2);
    }

    private static Set<?> faults(JsonNode api, String schema, JsonNode value) {
        ObjectNode document = new ObjectMapper().createObjectNode().put("$ref", "#/components/schemas/" + schema);
        document.set("components", api.get("components"));
        return SCHEMAS.getSchema(document).validate(value);
    }

    @Test
    void everyParameterOfARead_isTaken_andNoOther() {
        api().get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .at("/get/parameters")
                        .forEach(parameter -> assertThat(parameter.get("in").asText())
                                .as(path.getKey() + " " + parameter)
                                .isIn("path", "query")));
        CELL.get("/v1/cell?nosuch=1").fault("nosuch");
    }

    @Test
    void jobsOfTheExamples_fitTheirSchema_andABadOneDoesNot() throws IOException {
        JsonSchema schema = SCHEMAS.getSchema(CELL.get("/schemas/job.json").json());
        List<Path> examples;
        try (Stream<Path> files = Files.list(Path.of("../examples"))) {
            examples = files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
        assertThat(examples).isNotEmpty();
        for (Path example : examples) {
            JsonNode job = new YAMLMapper().readTree(example.toFile());
            assertThat(schema.validate(job)).as(example.toString()).isEmpty();
        }
        ObjectMapper json = new ObjectMapper();
        assertThat(schema.validate(json.readTree(RunningCell.job("good", 1)))).isEmpty();
        for (String bad : List.of(
                RunningCell.job("bad", 1).replace("\"type\"", "\"tpye\""),
                RunningCell.job("bad", -1),
                RunningCell.job("bad", 1).replace("batch", "cron"),
                "{\"name\": \"bad\", \"type\": \"batch\"}")) {
            assertThat(schema.validate(json.readTree(bad))).as(bad).isNotEmpty();
            assertThat(CELL.post("/v1/jobs", bad).status()).as(bad).isEqualTo(400);
        }
    }
}
