package dev.cella.client.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Message;
import dev.cella.client.json.Source.Format;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.TransactionRequest;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults of an input are reported at their places: the table of everything that a request can get wrong. */
class JsonCodecFaultsTest {
    private static final JsonCodec CODEC = new JsonCodec();

    private static final Message JOB = Job.getDefaultInstance();
    private static final Message MACHINE = PutMachineRequest.getDefaultInstance();
    private static final Message STOP = StopJobRequest.getDefaultInstance();
    private static final Message TRANSACTION = TransactionRequest.getDefaultInstance();
    private static final Message REPORT = ReportTaskRequest.getDefaultInstance();
    private static final Message SESSION = OpenSessionRequest.getDefaultInstance();

    static Stream<Arguments> faults() {
        return Stream.of(
                // Names
                json(
                        MACHINE,
                        "{'capacity': {'cpuMilli': 1}, 'atributes': {}}",
                        "1:31 atributes: no such field, did you mean attributes?"),
                json(MACHINE, "{'capacity': {'cpuMilli': 1}, 'zzz': 1}", "1:31 zzz: no such field"),
                json(MACHINE, "{'capacity': {'cpuMilli': 1}, '': 1}", "1:31 : no such field"),
                json(
                        TRANSACTION,
                        "{'id': 't', 'scheduler': 's', 'conflict_rule': 'MACHINE'}",
                        "1:31 conflict_rule: no such field, did you mean conflictRule?"),
                json(
                        TRANSACTION,
                        "{'id': 't', 'scheduler': 's', 'ConflictRule': 'MACHINE'}",
                        "1:31 ConflictRule: no such field, did you mean conflictRule?"),
                json(TRANSACTION, "{'id': 't', 'scheduler': 's', 'id': 'u'}", "1:31 id: is given twice"),
                json(MACHINE, "{'capacity': {'cpuMilli': 1, 'cpuMilli': 2}}", "1:30 capacity.cpuMilli: is given twice"),
                yaml(
                        JOB,
                        "name: a\ntype: batch\ngroups:\n  - resources: {cpuMili: 1}\n    run: {command: [x]}\n",
                        "4:17 groups[0].resources.cpuMili: no such field, did you mean cpuMilli?"),
                // Required fields
                json(JOB, "", "0:0 name: is required", "0:0 type: is required", "0:0 groups: is required"),
                json(JOB, "{}", "1:1 name: is required", "1:1 type: is required", "1:1 groups: is required"),
                json(
                        JOB,
                        "{'name': '', 'type': 'batch', 'groups': []}",
                        "1:10 name: must not be empty",
                        "1:31 groups: must not be empty"),
                yaml(
                        JOB,
                        "name: a\ntype: batch\ngroups:\n  - name: b\n",
                        "4:5 groups[0].resources: is required",
                        "4:5 groups[0].run: is required"),
                json(TRANSACTION, "{'id': 7, 'scheduler': 's'}", "1:8 id: must be text in quotes, is 7"),
                yaml(JOB, job("options: [a]"), "3:10 options: must be an object, is a list"),
                json(
                        STOP,
                        "{'name': 'a', 'grace': 5}",
                        "1:24 grace: must be a duration such as 250ms, 10s or 1h30m, is 5"),
                // Dimensions of which only the cell knows whether it has them
                yaml(JOB, resources("disk: 1"), "6:7 groups[0].resources.disk: no such field, did you mean diskMib?"),
                yaml(
                        JOB,
                        resources("dskMib: 1"),
                        "6:7 groups[0].resources.dskMib: no such field, did you mean diskMib?"),
                yaml(JOB, resources("GPU: 1"), "6:7 groups[0].resources.GPU: is no name of a dimension"),
                // Words of other systems
                yaml(
                        JOB,
                        job("schedule: nightly"),
                        "3:1 schedule: no such field: Cella leaves that to other programs: submit the job from cron or"
                                + " another timer"),
                yaml(JOB, group("replicas: 3"), "7:5 groups[0].replicas: no such field: write groups[].count"),
                // A number that no field could hold
                yaml(JOB, group("count: 3000000000"), "7:12 groups[0].count: is too large: 3000000000, at most 100000"),
                // What a group asks of machines
                yaml(
                        JOB,
                        group("constraints: [{attribute: rack, operater: eq, value: r1}]"),
                        "7:37 groups[0].constraints[0].operater: no such field, did you mean operator?",
                        "7:19 groups[0].constraints[0].operator: is required"),
                yaml(
                        JOB,
                        group("affinities: [{attribute: disk, operator: eq, value: ssd}]"),
                        "7:18 groups[0].affinities[0].weight: is required"),
                yaml(
                        JOB,
                        group("spread: [{attribute: rack, targets: {r1: half}}]"),
                        "7:46 groups[0].spread[0].targets.r1: must be a whole number, is \"half\""),
                yaml(JOB, group("distinct: rack"), "7:15 groups[0].distinct: must be an object, is \"rack\""),
                // Resources as people write them elsewhere
                yaml(JOB, resources("cpu: 1"), "6:7 groups[0].resources.cpu: no such field, did you mean cpuMilli?"),
                yaml(
                        JOB,
                        resources("memory: 1Gi"),
                        "6:7 groups[0].resources.memory: no such field, did you mean memoryMib?"),
                yaml(
                        JOB,
                        resources("memoryMiB: 1"),
                        "6:7 groups[0].resources.memoryMiB: no such field, did you mean memoryMib?"),
                // Numbers
                json(MACHINE, capacity("'12x'"), "1:27 capacity.cpuMilli: must be a whole number, is \"12x\""),
                json(MACHINE, capacity("1.5"), "1:27 capacity.cpuMilli: must be a whole number, is 1.5"),
                json(MACHINE, capacity("'1.0'"), "1:27 capacity.cpuMilli: must be a whole number, is \"1.0\""),
                json(MACHINE, capacity("''"), "1:27 capacity.cpuMilli: must be a whole number, is \"\""),
                json(MACHINE, capacity("true"), "1:27 capacity.cpuMilli: must be a whole number, is true"),
                json(MACHINE, capacity("[]"), "1:27 capacity.cpuMilli: must be a single value, is a list"),
                json(MACHINE, capacity("{'a': [1]}"), "1:27 capacity.cpuMilli: must be a single value, is an object"),
                json(MACHINE, capacity("-1"), "1:27 capacity.cpuMilli: must not be negative, is -1"),
                json(
                        MACHINE,
                        capacity("9007199254740992"),
                        "1:27 capacity.cpuMilli: is too large: 9007199254740992, at most 9007199254740991"),
                json(
                        MACHINE,
                        capacity("1e999"),
                        "1:27 capacity.cpuMilli: is too large: 1e999, at most 9007199254740991"),
                json(MACHINE, capacity("1e-999"), "1:27 capacity.cpuMilli: must be a whole number, is 1e-999"),
                json(
                        MACHINE,
                        capacity("null"),
                        "1:27 capacity.cpuMilli: must not be null; leave it out, or write \"\" for an empty text"),
                json(REPORT, "{'attempt': 2147483648}", "1:13 attempt: is too large: 2147483648, at most 2147483647"),
                json(REPORT, "{'attempt': -1}", "1:13 attempt: must not be negative, is -1"),
                yaml(MACHINE, "capacity: {cpuMilli: 0644}", "1:22 capacity.cpuMilli: must be a whole number, is 0644"),
                yaml(
                        MACHINE,
                        "capacity: {cpuMilli: 1_000}",
                        "1:22 capacity.cpuMilli: must be a whole number, is 1_000"),
                yaml(MACHINE, "capacity: {cpuMilli: 0x10}", "1:22 capacity.cpuMilli: must be a whole number, is 0x10"),
                yaml(MACHINE, "capacity: {cpuMilli: .inf}", "1:22 capacity.cpuMilli: must be a whole number, is .inf"),
                yaml(MACHINE, "capacity: {cpuMilli: }", "1:21 capacity.cpuMilli: must be a whole number, is \"\""),
                // Words
                json(REPORT, "{'state': 'RUNING'}", "1:11 state: no such value: \"RUNING\", did you mean RUNNING?"),
                json(
                        REPORT,
                        "{'state': 'TASK_STATE_RUNNING'}",
                        "1:11 state: no such value: \"TASK_STATE_RUNNING\", it is one of PENDING, PLACED, RUNNING,"
                                + " STOPPING, FINISHED, FAILED, KILLED, PREEMPTED, LOST"),
                json(
                        REPORT,
                        "{'state': 'UNSPECIFIED'}",
                        "1:11 state: no such value: \"UNSPECIFIED\", it is one of PENDING, PLACED, RUNNING, STOPPING,"
                                + " FINISHED, FAILED, KILLED, PREEMPTED, LOST"),
                json(
                        REPORT,
                        "{'state': 3}",
                        "1:11 state: no such value: 3, it is one of PENDING, PLACED, RUNNING, STOPPING, FINISHED,"
                                + " FAILED, KILLED, PREEMPTED, LOST"),
                // Truths
                json(
                        TRANSACTION,
                        "{'id': 't', 'scheduler': 's', 'dryRun': 'true'}",
                        "1:41 dryRun: must be true or false, is \"true\""),
                json(
                        TRANSACTION,
                        "{'id': 't', 'scheduler': 's', 'dryRun': 1}",
                        "1:41 dryRun: must be true or false, is 1"),
                yaml(TRANSACTION, "id: t\nscheduler: s\ndryRun: yes\n", "3:9 dryRun: must be true or false, is yes"),
                // Durations
                json(
                        SESSION,
                        "{'lease': '10'}",
                        "1:11 lease: must be a duration such as 250ms, 10s or 1h30m, is \"10\""),
                json(SESSION, "{'lease': 10}", "1:11 lease: must be a duration such as 250ms, 10s or 1h30m, is 10"),
                json(
                        SESSION,
                        "{'lease': '1.5s'}",
                        "1:11 lease: must be a duration such as 250ms, 10s or 1h30m, is \"1.5s\""),
                json(
                        SESSION,
                        "{'lease': '-1s'}",
                        "1:11 lease: must be a duration such as 250ms, 10s or 1h30m, is \"-1s\""),
                json(
                        SESSION,
                        "{'lease': '1m1h'}",
                        "1:11 lease: must be a duration such as 250ms, 10s or 1h30m, is \"1m1h\""),
                json(SESSION, "{'lease': '999999999h'}", "1:11 lease: must be at most 292 years, is \"999999999h\""),
                json(SESSION, "{'lease': ''}", "1:11 lease: must be a duration such as 250ms, 10s or 1h30m, is \"\""),
                // Objects and lists
                json(JOB, "[]", "1:1 : must be an object, is a list"),
                json(JOB, "7", "1:1 : must be an object, is 7"),
                json(JOB, "null", "1:1 : must be an object, is null"),
                yaml(JOB, "just words", "1:1 : must be an object, is \"just words\""),
                yaml(JOB, "name: a\ntype: batch\ngroups: {}\n", "3:9 groups: must be a list, is an object"),
                yaml(JOB, "name: a\ntype: batch\ngroups:\n", "3:8 groups: must be a list, is empty"),
                yaml(
                        JOB,
                        "name: a\ntype: batch\ngroups: [x, []]\n",
                        "3:10 groups[0]: must be an object, is \"x\"",
                        "3:13 groups[1]: must be an object, is a list"),
                yaml(JOB, run("command: echo hello"), "5:20 groups[0].run.command: must be a list, is \"echo hello\""),
                yaml(JOB, run("command: [a, [b]]"), "5:24 groups[0].run.command[1]: must be a single value, is a list"),
                yaml(JOB, run("command: [a], env: [A=1]"), "5:30 groups[0].run.env: must be an object, is a list"),
                yaml(
                        JOB,
                        run("command: [a], env: {A: ~}"),
                        "5:34 groups[0].run.env.A: must not be null; leave it out, or write \"\" for an empty text"),
                // Text
                json(
                        TRANSACTION,
                        "{'id': '" + "x".repeat(4097) + "', 'scheduler': 's'}",
                        "1:8 id: is too long: 4097 bytes, at most 4096"),
                json(
                        TRANSACTION,
                        "{'id': '\\ud800', 'scheduler': 's'}",
                        "1:8 id: is not text: half of a surrogate pair stands alone"),
                // YAML's own
                yaml(
                        JOB,
                        "name: &n a\ntype: batch\nscheduler: *n\n" + GROUPS,
                        "3:12 scheduler: is a reference (*n); write the value itself"),
                yaml(
                        JOB,
                        "name: !secret a\ntype: batch\n" + GROUPS,
                        "1:7 name: has a tag (!secret); write the value without it"),
                yaml(
                        JOB,
                        "name: a\ntype: batch\n" + GROUPS + "---\nname: b\n",
                        "5:1 : there is more after the end: a file holds one object"),
                // Neither JSON nor YAML
                yaml(
                        MACHINE,
                        "capacity: [1, 2\nattributes: 3",
                        "2:11 : is not YAML: expected ',' or ']', but got :",
                        "1:11 capacity: must be an object, is a list"),
                json(
                        MACHINE,
                        "{'capacity': {'cpuMilli': 1}",
                        "1:29 : cannot be read: Unexpected end-of-input: expected close marker for Object"),
                json(MACHINE, "{'capacity': {'cpuMilli': NaN}}", "1:30 : cannot be read: Non-standard token 'NaN'"),
                json(
                        MACHINE,
                        "/* none */ {'capacity': {'cpuMilli': 1}}",
                        "1:1 : cannot be read: Unexpected character ('/' (code 47)): maybe a (non-standard) comment?"));
    }

    private static final String GROUPS = "groups: [{resources: {cpuMilli: 1}, run: {command: [x]}}]\n";

    private static String job(String line) {
        return "name: a\ntype: batch\n" + line + "\n" + GROUPS;
    }

    private static String resources(String line) {
        return "name: a\ntype: batch\ngroups:\n  - resources:\n      cpuMilli: 1\n      " + line
                + "\n    run: {command: [x]}\n";
    }

    private static String group(String line) {
        return "name: a\ntype: batch\ngroups:\n  - resources:\n      cpuMilli: 1\n    run: {command: [x]}\n    " + line
                + "\n";
    }

    private static String run(String fields) {
        return "name: a\ntype: batch\ngroups:\n  - resources: {cpuMilli: 1}\n    run: {" + fields + "}\n";
    }

    private static String capacity(String value) {
        return "{'capacity': {'cpuMilli': " + value + "}}";
    }

    private static Arguments json(Message type, String text, String... faults) {
        return Arguments.of(type, new Source(text.replace('\'', '"'), Format.JSON), List.of(faults));
    }

    private static Arguments yaml(Message type, String text, String... faults) {
        return Arguments.of(type, new Source(text, Format.YAML), List.of(faults));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void read_badInput_namesEveryFaultAtItsPlace(Message type, Source source, List<String> expected) {
        BadInput bad = catchThrowableOfType(BadInput.class, () -> CODEC.read(type, source));

        assertThat(bad).as("%s", source.text()).isNotNull();
        assertThat(bad.faults()).map(JsonCodecFaultsTest::shown).containsExactlyElementsOf(expected);
    }

    private static String shown(Fault fault) {
        return fault.line() + ":" + fault.column() + " " + fault.path() + ": " + fault.message();
    }

    @Test
    void read_manyFaults_saysAllOfThemAtOnce() {
        BadInput bad =
                catchThrowableOfType(BadInput.class, () -> CODEC.read(Job.getDefaultInstance(), Source.yaml("""
                    name: [a]
                    typ: batch
                    priority: high
                    groups:
                      - count: -1
                        resources: {cpu: 1}
                        run: {comand: [x]}
                    """)));

        assertThat(bad.faults())
                .map(Fault::path)
                .containsExactly(
                        "name",
                        "typ",
                        "priority",
                        "groups[0].count",
                        "groups[0].resources.cpu",
                        "groups[0].run.comand",
                        "groups[0].run.command",
                        "type");
    }

    @Test
    void read_endlessFaults_stopsAtABound() {
        String unknown = "{\"x\": 1}";
        String text = "{\"claims\": [" + (unknown + ",").repeat(50_000) + unknown + "]}";

        BadInput bad = catchThrowableOfType(
                BadInput.class, () -> CODEC.read(TransactionRequest.getDefaultInstance(), Source.json(text)));

        assertThat(bad.faults()).hasSize(50);
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void read_bottomlessNesting_isRefused(Format format) {
        Source source = new Source("{\"claims\": " + "[".repeat(100_000), format);

        BadInput bad =
                catchThrowableOfType(BadInput.class, () -> CODEC.read(TransactionRequest.getDefaultInstance(), source));

        assertThat(bad.faults()).isNotEmpty();
    }

    @Test
    void read_referencesToReferences_areRefusedAndNeverFollowed() {
        StringBuilder text = new StringBuilder("name: a\ntype: batch\nlabels:\n  l0: &l0 x\n");
        for (int i = 1; i < 20; i++) {
            text.append("  l%d: &l%d [%s]\n".formatted(i, i, ("*l" + (i - 1) + ",").repeat(9)));
        }

        BadInput bad = catchThrowableOfType(
                BadInput.class, () -> CODEC.read(Job.getDefaultInstance(), Source.yaml(text.toString())));

        assertThat(bad.faults()).map(Fault::message).contains("must be a single value, is a list");
    }

    @Test
    void read_tooLargeText_isRefusedUnread() {
        Source source = Source.json("{\"id\": \"" + "x".repeat(3 << 20) + "\"}");

        BadInput bad =
                catchThrowableOfType(BadInput.class, () -> CODEC.read(TransactionRequest.getDefaultInstance(), source));

        assertThat(bad.faults()).map(Fault::sentence).containsExactly("is too large: at most 2097152 characters");
    }

    @Test
    void read_textBeyondALimitOfTheReader_namesTheLimit() {
        Map<String, String> expected = Map.of(
                "{\"options\": " + "[".repeat(70), "is nested too deep: at most 64 levels",
                "{\"priority\": " + "1".repeat(1_001) + "}", "has too long a number: at most 1000 characters",
                "{\"" + "x".repeat(50_001) + "\": 1}", "has too long a name: at most 50000 characters");
        expected.forEach((text, message) -> {
            BadInput bad = catchThrowableOfType(BadInput.class, () -> CODEC.read(JOB, Source.json(text)));

            assertThat(bad.faults().get(0).message()).isEqualTo(message);
        });
    }

    @Test
    void check_messageThatCameWithoutJson_isHeldToTheSameRules() {
        Job job = Job.newBuilder()
                .setName("a")
                .setTypeValue(2)
                .addGroups(Group.newBuilder().setCount(-1).putResources("cpu", 1))
                .build();

        BadInput bad = catchThrowableOfType(BadInput.class, () -> CODEC.check(job));

        assertThat(bad.faults())
                .map(Fault::sentence)
                .containsExactly(
                        "groups[0].count: must not be negative, is -1",
                        "groups[0].resources.cpu: no such field, did you mean cpuMilli?",
                        "groups[0].run: is required");
    }

    /** Faults after an unclosed brace are doubtful: their text is read in the wrong place. */
    @Test
    void read_unclosedBrace_isReportedFirst() {
        String text = "name: a\ntype: batch\ngroups:\n  - resources: {cpuMilli: 100\n    run: {command: [echo]}\n";

        BadInput bad = catchThrowableOfType(BadInput.class, () -> CODEC.read(JOB, Source.yaml(text)));

        assertThat(bad.faults().get(0).message()).startsWith("is not YAML");
    }
}
