package dev.cella.client.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.ConflictRule;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TransactionRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonCodecReadTest {
    private static final JsonCodec CODEC = new JsonCodec();

    @Test
    void read_jobFile_asAPersonWritesIt() {
        Job job = CODEC.read(Job.getDefaultInstance(), Source.yaml("""
                # three tasks that print their index
                name: hello
                type: batch
                conflictRule: machine
                labels: {tier: web, release: 2.3.0}
                groups:
                  - count: 3
                    resources: {cpuMilli: 100, memoryMib: "32"}
                    run:
                      command: [/bin/echo, hello, "${index}", 7, yes, 1.50]
                      env: {UMASK: 0644, BIG: 1_000, ON: yes, OFF: False, HEX: 0x1F, AT: 12:30, NONE: ""}
                      stopGrace: 1m30s
                """));

        Run run = job.getGroups(0).getRun();
        assertThat(job.getType()).isEqualTo(JobType.JOB_TYPE_BATCH);
        assertThat(job.getConflictRule()).isEqualTo(ConflictRule.CONFLICT_RULE_MACHINE);
        assertThat(job.getAtomicity()).isEqualTo(Atomicity.ATOMICITY_UNSPECIFIED);
        assertThat(job.getLabelsMap()).containsExactly(Map.entry("tier", "web"), Map.entry("release", "2.3.0"));
        assertThat(job.getGroups(0).getResourcesMap())
                .containsExactly(Map.entry("cpuMilli", 100L), Map.entry("memoryMib", 32L));
        assertThat(run.getCommandList()).containsExactly("/bin/echo", "hello", "${index}", "7", "yes", "1.50");
        assertThat(run.getEnvMap())
                .containsEntry("UMASK", "0644")
                .containsEntry("BIG", "1_000")
                .containsEntry("ON", "yes")
                .containsEntry("OFF", "False")
                .containsEntry("HEX", "0x1F")
                .containsEntry("AT", "12:30")
                .containsEntry("NONE", "");
        assertThat(run.getStopGrace())
                .isEqualTo(Duration.newBuilder().setSeconds(90).build());
        assertThat(job.hasScheduler()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "batch, BATCH",
        "BATCH, BATCH",
        "Batch, BATCH",
    })
    void read_jobType_inAnyCase(String written, String meant) {
        String text = "name: a\ntype: " + written + "\ngroups: [{resources: {cpuMilli: 1}, run: {command: [x]}}]\n";

        assertThat(CODEC.read(Job.getDefaultInstance(), Source.yaml(text)).getType())
                .isEqualTo(JobType.valueOf("JOB_TYPE_" + meant));
    }

    @ParameterizedTest
    @CsvSource({"ALL_OR_NOTHING", "all_or_nothing", "all-or-nothing", "All-Or_Nothing"})
    void read_enumValue_inAnyCaseWithEitherSign(String written) {
        String text = "{\"id\": \"t\", \"scheduler\": \"s\", \"atomicity\": \"" + written + "\"}";

        assertThat(CODEC.read(TransactionRequest.getDefaultInstance(), Source.json(text))
                        .getAtomicity())
                .isEqualTo(Atomicity.ATOMICITY_ALL_OR_NOTHING);
    }

    @ParameterizedTest
    @CsvSource({"12, 12", "\"12\", 12", "0, 0", "-0, 0", "1e3, 1000", "1.0, 1", "9007199254740991, 9007199254740991"})
    void read_wholeNumber_howeverJsonWritesIt(String written, long meant) {
        String text = "{\"capacity\": {\"cpuMilli\": " + written + "}}";

        assertThat(CODEC.read(PutMachineRequest.getDefaultInstance(), Source.json(text))
                        .getCapacityMap())
                .containsExactly(Map.entry("cpuMilli", meant));
    }

    @ParameterizedTest
    @CsvSource({
        "250ms, 0, 250000000",
        "10s, 10, 0",
        "1h30m, 5400, 0",
        "0s, 0, 0",
        "1500ms, 1, 500000000",
        "90m, 5400, 0",
        "1h2m3s4ms5us6ns, 3723, 4005006"
    })
    void read_duration_inItsUnits(String written, long seconds, int nanos) {
        OpenSessionRequest request =
                CODEC.read(OpenSessionRequest.getDefaultInstance(), Source.json("{\"lease\": \"" + written + "\"}"));

        assertThat(request.getLease())
                .isEqualTo(Duration.newBuilder()
                        .setSeconds(seconds)
                        .setNanos(nanos)
                        .build());
    }

    @Test
    void read_exitCode_mayBeNegative() {
        assertThat(CODEC.read(ReportTaskRequest.getDefaultInstance(), Source.json("{\"exitCode\": -1}"))
                        .getExitCode())
                .isEqualTo(-1);
    }

    @Test
    void read_emptyBody_isAnEmptyObject() {
        assertThat(CODEC.read(OpenSessionRequest.getDefaultInstance(), Source.json(new byte[0])))
                .isEqualTo(OpenSessionRequest.getDefaultInstance());
    }

    @Test
    void read_addressAndBody_becomeOneRequest() {
        PutMachineRequest request = CODEC.read(
                PutMachineRequest.getDefaultInstance(),
                Map.of("name", List.of("m-1")),
                Optional.of(Source.json("{\"capacity\": {\"cpuMilli\": 4000}}")));

        assertThat(request.getName()).isEqualTo("m-1");
        assertThat(request.getCapacityMap()).containsEntry("cpuMilli", 4000L);
    }

    @Test
    void read_bodyThatContradictsTheAddress_isRefused() {
        Map<String, List<String>> address = Map.of("name", List.of("m-1"));
        Source same = Source.json("{\"name\": \"m-1\", \"capacity\": {\"cpuMilli\": 1}}");
        Source other = Source.json("{\"name\": \"m-2\", \"capacity\": {\"cpuMilli\": 1}}");

        assertThat(CODEC.read(PutMachineRequest.getDefaultInstance(), address, Optional.of(same))
                        .getName())
                .isEqualTo("m-1");
        assertThatThrownBy(() -> CODEC.read(PutMachineRequest.getDefaultInstance(), address, Optional.of(other)))
                .hasMessage("name: differs from the address: m-1");
    }

    @Test
    void read_faultsInAddressAndBody_areReportedTogether() {
        assertThatThrownBy(() -> CODEC.read(
                        PutMachineRequest.getDefaultInstance(),
                        Map.of("nam", List.of("m-1")),
                        Optional.of(Source.json("{\"capacity\": {\"cpu\": 1}}"))))
                .hasMessage("""
                        nam: no such parameter, did you mean name?
                        capacity.cpu: no such field, did you mean cpuMilli?""");
    }

    @Test
    void read_query_bindsWordsNumbersAndLists() {
        ListTasksRequest request = CODEC.read(
                ListTasksRequest.getDefaultInstance(),
                Map.of(
                        "minVersion", List.of("12"),
                        "wait", List.of("250ms"),
                        "job", List.of("0644"),
                        "state", List.of("running,Lost")),
                Optional.empty());

        assertThat(request.getMinVersion()).isEqualTo(12);
        assertThat(Durations.write(request.getWait())).isEqualTo("250ms");
        assertThat(request.getJob()).isEqualTo("0644");
        assertThat(request.getStateList()).containsExactly(TaskState.TASK_STATE_RUNNING, TaskState.TASK_STATE_LOST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "minVersoin | 1 | minVersoin: no such parameter, did you mean minVersion?",
                "min_version | 1 | min_version: no such parameter, did you mean minVersion?",
                "limit | ten | limit: must be a whole number, is \"ten\"",
                "limit | -1 | limit: must not be negative, is -1",
                "limit | 2147483648 | limit: is too large: \"2147483648\", at most 2147483647",
                "wait | 5 | wait: must be a duration such as 250ms, 10s or 1h30m, is \"5\"",
                "state | running,runing | state: no such value: \"runing\", did you mean RUNNING?",
            })
    void read_badQuery_isRefused(String name, String value, String message) {
        assertThatThrownBy(() -> CODEC.read(
                        ListTasksRequest.getDefaultInstance(), Map.of(name, List.of(value)), Optional.empty()))
                .isInstanceOf(BadInput.class)
                .hasMessage(message);
    }

    @Test
    void read_parameterTwice_isRefused() {
        assertThatThrownBy(() -> CODEC.read(
                        ListTasksRequest.getDefaultInstance(), Map.of("job", List.of("a", "b")), Optional.empty()))
                .hasMessage("job: is given 2 times");
    }

    @Test
    void readAnswer_ofANewerCell_passesOverWhatIsNotKnown() {
        JobList list = CODEC.readAnswer(JobList.getDefaultInstance(), Source.json("""
                {"version": 7, "mood": {"a": [1]}, "jobs": [
                  {"name": "a", "state": "MELTING", "startedAt": "2026-11-20T10:00:00.5Z", "attempts": -1}]}"""));

        JobStatus job = list.getJobs(0);
        assertThat(list.getVersion()).isEqualTo(7);
        assertThat(job.getState()).isEqualTo(JobState.JOB_STATE_UNSPECIFIED);
        assertThat(job.getStartedAt())
                .isEqualTo(Timestamp.newBuilder()
                        .setSeconds(1795168800)
                        .setNanos(500_000_000)
                        .build());
    }

    @Test
    void readLocated_placesFaultsThatAreFoundLater() {
        Located<Job> job = CODEC.readLocated(
                Job.getDefaultInstance(),
                Source.yaml("name: a\ntype: batch\ngroups:\n- resources: {cpuMilli: 1}\n  run: {command: [x, y]}\n"));

        assertThat(job.locate(List.of(
                        Fault.of("groups[0].run.command[1]", "a"),
                        Fault.of("groups[0].count", "b"),
                        Fault.of("scheduler", "c"))))
                .map(fault -> fault.line() + ":" + fault.column())
                .containsExactly("5:22", "4:3", "1:1");
    }

    @Test
    void file_isJsonWhereItSaysSo() {
        assertThat(Source.file("a.yaml", bytes("name: a")).format()).isEqualTo(Source.Format.YAML);
        assertThat(Source.file("a.JSON", bytes("name: a")).format()).isEqualTo(Source.Format.JSON);
        assertThat(Source.file("-", bytes(" \n{\t\"name\": 1}")).format()).isEqualTo(Source.Format.JSON);
        assertThat(Source.file("-", bytes("{name: 1}")).format()).isEqualTo(Source.Format.YAML);
    }

    @Test
    void file_thatIsNotText_isRefused() {
        assertThatThrownBy(() -> Source.file("a", new byte[] {'a', (byte) 0xff}))
                .isInstanceOf(BadInput.class)
                .hasMessage("is not text in UTF-8");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
