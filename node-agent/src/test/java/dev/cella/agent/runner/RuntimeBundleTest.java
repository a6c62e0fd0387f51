package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuntimeBundleTest {
    private static JsonNode bundle(boolean ownGroups) throws Exception {
        ImageDriver.Contained task = new ImageDriver.Contained(
                "/images/debian",
                "mark-1",
                List.of("echo", "a \"word\"\n"),
                Map.of("WORD", "w"),
                65_534,
                65_533,
                true,
                Map.of("memoryMib", 64L, "cpuMilli", 500L),
                true,
                false,
                Path.of("/work"),
                Path.of("/work/sub"),
                "m-1",
                List.of(Path.of("/dev/null")));
        return new ObjectMapper().readTree(RuntimeBundle.json(task, ownGroups));
    }

    @Test
    void task_hasNoCapabilities_andTheFilterOfIsolatedTasks() throws Exception {
        JsonNode bundle = bundle(false);
        assertThat(bundle.at("/process/args/1").asText()).isEqualTo("a \"word\"\n");
        assertThat(bundle.at("/process/noNewPrivileges").asBoolean()).isTrue();
        assertThat(bundle.at("/process/capabilities")).hasSize(5).allMatch(JsonNode::isEmpty);
        JsonNode filter = bundle.at("/linux/seccomp");
        assertThat(filter.get("defaultAction").asText()).isEqualTo("SCMP_ACT_ALLOW");
        assertThat(filter.at("/syscalls/0/names").toString()).contains("\"ptrace\"", "\"mount\"", "\"bpf\"");
        assertThat(filter.at("/syscalls/0/errnoRet").asInt()).isEqualTo(1);
        assertThat(filter.at("/syscalls/1/names").toString()).contains("\"io_uring_setup\"", "\"clone3\"");
        assertThat(filter.at("/syscalls")).hasSize(9);
    }

    /** Each kind of namespace has a bit of its own in the first argument of clone. */
    @Test
    void clone_isDeniedForEachKindOfNamespace() throws Exception {
        long bits = 0;
        for (JsonNode rule : bundle(false).at("/linux/seccomp/syscalls")) {
            if (rule.at("/names/0").asText().equals("clone")) {
                assertThat(rule.at("/args/0/op").asText()).isEqualTo("SCMP_CMP_MASKED_EQ");
                assertThat(rule.at("/args/0/value")).isEqualTo(rule.at("/args/0/valueTwo"));
                bits += rule.at("/args/0/value").asLong();
            }
        }
        assertThat(bits).isEqualTo(0x7e020000);
    }

    @Test
    void devices_areThoseThatTheTaskWasGiven_andItOwnsThem() throws Exception {
        assertThat(bundle(true).at("/linux/devices")).containsExactly(new ObjectMapper().readTree("""
                {"path":"/dev/null","type":"c","major":1,"minor":3,"fileMode":384,"uid":65534,"gid":65533}
                """));
        assertThat(bundle(true).at("/linux/resources/devices/0/major").asInt()).isEqualTo(1);
        assertThat(bundle(false).at("/linux").has("resources")).isFalse();
    }

    @Test
    void limits_areThoseOfATaskWithoutAnImage() throws Exception {
        assertThat(bundle(true).at("/linux/cgroupsPath").asText()).isEqualTo("/cella-images/mark-1");
        JsonNode limits = bundle(true).at("/linux/resources");
        assertThat(limits.at("/memory/limit").asLong()).isEqualTo(64 << 20);
        assertThat(limits.at("/cpu/shares").asLong()).isEqualTo(512);
        assertThat(limits.at("/cpu/quota").asLong()).isEqualTo(50_000);
        assertThat(limits.at("/pids/limit").asLong()).isEqualTo(1_024);
    }
}
