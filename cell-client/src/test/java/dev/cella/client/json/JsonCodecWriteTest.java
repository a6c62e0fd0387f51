package dev.cella.client.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineStatus;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskCounts;
import dev.cella.client.proto.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class JsonCodecWriteTest {
    private static final JsonCodec CODEC = new JsonCodec();

    @Test
    void write_zeroFalseAndEmpty_areWritten() {
        assertThat(CODEC.write(JobSubmitted.getDefaultInstance()))
                .isEqualTo("{\"name\":\"\",\"generation\":0,\"version\":0}");
        assertThat(CODEC.write(TaskCounts.newBuilder().setLost(2).build()))
                .isEqualTo("{\"pending\":0,\"placed\":0,\"running\":0,\"stopping\":0,\"finished\":0,\"failed\":0,"
                        + "\"killed\":0,\"preempted\":0,\"lost\":2}");
    }

    @Test
    void write_machine_leavesOutWhatDoesNotExist() {
        Machine machine = Machine.newBuilder()
                .setName("m-1")
                .setStatus(MachineStatus.MACHINE_STATUS_READY)
                .putCapacity("cpuMilli", 4000)
                .setRegisteredVersion((1L << 53) - 1)
                .build();

        assertThat(CODEC.write(machine))
                .isEqualTo("{\"name\":\"m-1\",\"status\":\"READY\",\"capacity\":{\"cpuMilli\":4000},\"free\":{},"
                        + "\"attributes\":{},\"registeredVersion\":9007199254740991,\"claimedVersion\":0,"
                        + "\"changedVersion\":0,\"tasks\":[]}");
    }

    @Test
    void write_jobStatus_printsWordsAndTimes() {
        JobStatus job = JobStatus.newBuilder()
                .setType(JobType.JOB_TYPE_BATCH)
                .setSubmittedAt(Timestamp.newBuilder().setSeconds(1795168800))
                .build();

        assertThat(CODEC.write(job))
                .contains("\"type\":\"batch\"", "\"submittedAt\":\"2026-11-20T10:00:00Z\"", "\"attempts\":0")
                .doesNotContain("state", "startedAt", "specification");
    }

    @Test
    void write_specification_canBeSubmittedAgain() {
        Job job = Job.newBuilder()
                .setName("a")
                .setType(JobType.JOB_TYPE_BATCH)
                .setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                .addGroups(Group.newBuilder()
                        .putResources("cpuMilli", 1)
                        .setRun(Run.newBuilder()
                                .addCommand("x")
                                .putEnv("UMASK", "0644")
                                .setStopGrace(Duration.newBuilder().setSeconds(5400))))
                .build();

        assertThat(CODEC.write(job))
                .isEqualTo("{\"name\":\"a\",\"type\":\"batch\",\"atomicity\":\"ALL_OR_NOTHING\",\"labels\":{},"
                        + "\"groups\":[{\"resources\":{\"cpuMilli\":1},\"run\":{\"command\":[\"x\"],"
                        + "\"env\":{\"UMASK\":\"0644\"},\"stopGrace\":\"1h30m\"},"
                        + "\"constraints\":[],\"affinities\":[],\"spread\":[]}]}");
        assertThat(CODEC.writeYaml(job)).isEqualTo("""
                name: a
                type: batch
                atomicity: ALL_OR_NOTHING
                labels: {}
                groups:
                - resources:
                    cpuMilli: 1
                  run:
                    command:
                    - x
                    env:
                      UMASK: "0644"
                    stopGrace: 1h30m
                  constraints: []
                  affinities: []
                  spread: []
                """);
        assertThat(CODEC.read(Job.getDefaultInstance(), Source.yaml(CODEC.writeYaml(job))))
                .isEqualTo(job);
    }

    /** Readers of YAML 1.1 take these for a date and for numbers of base 60. */
    @Test
    void writeYaml_textLikeADateOrATime_isQuoted() {
        Job job = Job.newBuilder()
                .setName("2026-01-01")
                .putLabels("20:30", "1:30:00")
                .putLabels("address", "10.0.0.1:7070")
                .build();

        assertThat(CODEC.writeYaml(job))
                .contains("name: \"2026-01-01\"", "\"20:30\": \"1:30:00\"", "address: 10.0.0.1:7070");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01",
                "2026-01-01T10:00:00Z",
                "2026-1-1 10:00:00.5 +2",
                "20:30",
                "0x1f",
                "0b11",
                "017",
                "1_000",
                "+1",
                "1.5e+3",
                ".5",
                "1.",
                "-.inf",
                ".NaN",
                "~",
                "null",
                "Yes",
                "off",
                "=",
                "<<",
                ""
            })
    void writeYaml_text_isTextForReadersOfYaml11(String text) {
        String yaml = CODEC.writeYaml(
                Job.newBuilder().setName(text).putLabels("label", text).build());

        Map<String, Object> read = new Yaml().load(yaml);

        assertThat(read).containsEntry("name", text).containsEntry("labels", Map.of("label", text));
    }

    @Test
    void writePretty_isForPeople() {
        assertThat(CODEC.writePretty(JobSubmitted.newBuilder().setName("a").build()))
                .isEqualTo("""
                {
                  "name" : "a",
                  "generation" : 0,
                  "version" : 0
                }""");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0s",
        "0, 250000000, 250ms",
        "10, 0, 10s",
        "90, 0, 1m30s",
        "5400, 0, 1h30m",
        "1, 500000000, 1s500ms",
        "3723, 4005006, 1h2m3s4ms5us6ns"
    })
    void write_duration_inTheFewestUnits(long seconds, int nanos, String written) {
        assertThat(Durations.write(Duration.newBuilder()
                        .setSeconds(seconds)
                        .setNanos(nanos)
                        .build()))
                .isEqualTo(written);
    }

    @Test
    void writeParameters_saysOnlyWhatIsSet() {
        ListTasksRequest request = ListTasksRequest.newBuilder()
                .setMinVersion(0)
                .setWait(Duration.newBuilder().setSeconds(5))
                .addState(TaskState.TASK_STATE_RUNNING)
                .addState(TaskState.TASK_STATE_LOST)
                .build();

        assertThat(CODEC.writeParameters(request))
                .containsExactly(
                        Map.entry("minVersion", "0"), Map.entry("wait", "5s"), Map.entry("state", "RUNNING,LOST"));
    }

    @Test
    void writeParameters_ofTextsWithCommas_areReadAsTheyWere() {
        ListJobsRequest request = ListJobsRequest.newBuilder()
                .addLabel("zones=a,b")
                .addLabel("path=c:\\")
                .addLabel(",")
                .addLabel("app=web")
                .build();

        Map<String, String> written = CODEC.writeParameters(request);

        assertThat(written).containsExactly(Map.entry("label", "zones=a\\,b,path=c:\\\\,\\,,app=web"));
        assertThat(CODEC.read(
                        ListJobsRequest.getDefaultInstance(),
                        Map.of("label", List.of(written.get("label"))),
                        Optional.empty()))
                .isEqualTo(request);
    }
}
