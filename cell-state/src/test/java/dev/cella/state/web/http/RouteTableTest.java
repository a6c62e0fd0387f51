package dev.cella.state.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import dev.cella.client.job.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RouteTableTest {
    private final RouteTable<String> routes = new RouteTable<>();

    RouteTableTest() {
        routes.add(HttpMethod.GET, "/v1/machines", "list");
        routes.add(HttpMethod.GET, "/v1/machines/{name}", "get");
        routes.add(HttpMethod.PUT, "/v1/machines/{name}", "put");
        routes.add(HttpMethod.POST, "/v1/machines/{name}:drain", "drain");
        routes.add(HttpMethod.POST, "/v1/machines/{name}:ready", "ready");
        routes.add(HttpMethod.GET, "/v1/tasks/{job}/{group}/{index}", "task");
        routes.add(HttpMethod.GET, "/", "front");
    }

    @Test
    void find_pathWithVariables_givesTheirValues() {
        assertThat(find(HttpMethod.GET, "/v1/tasks/hello/main/0"))
                .isEqualTo(found("task", Map.of("job", "hello", "group", "main", "index", "0")));
        assertThat(find(HttpMethod.GET, "/v1/machines/m-1.rack-2"))
                .isEqualTo(found("get", Map.of("name", "m-1.rack-2")));
        assertThat(find(HttpMethod.GET, "/v1/machines")).isEqualTo(found("list", Map.of()));
        assertThat(find(HttpMethod.GET, "/")).isEqualTo(found("front", Map.of()));
    }

    @Test
    void find_knownVerb_isAnotherCall() {
        assertThat(find(HttpMethod.POST, "/v1/machines/m1:drain")).isEqualTo(found("drain", Map.of("name", "m1")));
    }

    @Test
    void find_unknownVerb_isNothingAndNamesTheVerbs() {
        assertThat(find(HttpMethod.POST, "/v1/machines/m1:explode")).isEqualTo(nothing("drain", "ready"));
        assertThat(find(HttpMethod.GET, "/v1/machines/m1:")).isEqualTo(nothing("drain", "ready"));
    }

    @Test
    void find_whatCannotBeAName_isNothingAndSaysWhy() {
        for (String name : List.of("M1", "%2e%2e", "-m", "", "m".repeat(254), "m;a=b")) {
            assertThat(find(HttpMethod.GET, "/v1/machines/" + name))
                    .isEqualTo(new RouteTable.Nothing<>(
                            new TreeSet<>(List.of("drain", "ready")), Names.refuseMachine(name)));
        }
    }

    @Test
    void find_onlyAMachinesNameMayBeLong() {
        String name = "m".repeat(64);

        assertThat(find(HttpMethod.GET, "/v1/machines/" + name)).isEqualTo(found("get", Map.of("name", name)));
        assertThat(find(HttpMethod.GET, "/v1/tasks/hello/" + name + "/0"))
                .isEqualTo(new RouteTable.Nothing<>(new TreeSet<>(), Names.refuse(name)));
    }

    @Test
    void find_anotherMethod_namesThoseThatAre() {
        assertThat(find(HttpMethod.DELETE, "/v1/machines/m1")).isEqualTo(wrongMethod("GET", "HEAD", "PUT"));
        assertThat(find(HttpMethod.GET, "/v1/machines/m1:drain")).isEqualTo(wrongMethod("POST"));
    }

    @Test
    void find_unknownPath_isNothing() {
        assertThat(find(HttpMethod.GET, "/v1/nodes")).isEqualTo(nothing());
        assertThat(find(HttpMethod.GET, "/v1/machines/m1/tasks")).isEqualTo(nothing());
        assertThat(find(HttpMethod.GET, "/v2/machines")).isEqualTo(nothing());
    }

    private RouteTable.Match<String> find(HttpMethod method, String path) {
        return routes.find(method, path);
    }

    private static RouteTable.Match<String> found(String target, Map<String, String> variables) {
        return new RouteTable.Found<>(target, variables);
    }

    private static RouteTable.Match<String> wrongMethod(String... allowed) {
        return new RouteTable.WrongMethod<>(new TreeSet<>(List.of(allowed)));
    }

    private static RouteTable.Match<String> nothing(String... verbs) {
        return new RouteTable.Nothing<>(new TreeSet<>(List.of(verbs)), Optional.empty());
    }
}
