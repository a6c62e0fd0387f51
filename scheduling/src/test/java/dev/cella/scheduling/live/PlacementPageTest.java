package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.job.JobRules;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of docs/schedulers/placement.md: each is accepted, or refused with the line below it. */
class PlacementPageTest {
    private static final Path PAGE = Path.of("../docs/schedulers/placement.md");
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final String HEAD = """
            name: example
            type: batch
            groups:
              - resources: {cpuMilli: 100, memoryMib: 32}
                run: {command: [/bin/true]}
            """;

    static Stream<String> examples() throws IOException {
        return EXAMPLE.matcher(Files.readString(PAGE))
                .results()
                .map(MatchResult::group)
                .map(PlacementPageTest::bare);
    }

    private static String bare(String fenced) {
        return fenced.substring("```yaml\n".length(), fenced.length() - "```".length());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void example_isTakenOrRefusedAsItSays(String example) {
        Job job = new JsonCodec().read(Job.getDefaultInstance(), Source.yaml(HEAD + example.indent(4)));

        List<String> faults = JobRules.check(job).stream().map(Fault::sentence).toList();

        assertThat(faults).isEqualTo(refusals(example));
        if (faults.isEmpty()) {
            assertThat(SpecifiedPlacements.placement(JobRules.complete(job)).group(0))
                    .isNotNull();
        }
    }

    private static List<String> refusals(String example) {
        return example.lines()
                .filter(line -> line.startsWith("# groups"))
                .map(line -> line.substring(2))
                .toList();
    }
}
