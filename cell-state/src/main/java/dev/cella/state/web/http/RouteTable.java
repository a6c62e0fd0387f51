package dev.cella.state.web.http;

import com.linecorp.armeria.common.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Finds the call for a method and a path. If there is none, it tells which part is wrong: the path, the verb after its colon,
 * or the method.
 *
 * <p>Built once at start and read by every request. It is a list that is searched from its beginning: there are a few tens of
 * routes, and a request costs a thousand times more than the search.
 *
 * @param <T> the target of a route
 */
final class RouteTable<T> {
    private record Route<T>(HttpMethod method, String text, PathTemplate path, T target) {}

    /** The result for a path. */
    sealed interface Match<T> {}

    record Found<T>(T target, Map<String, String> variables) implements Match<T> {}

    record WrongMethod<T>(NavigableSet<String> allowed) implements Match<T> {}

    /**
     * No route.
     *
     * @param verbs the verbs that the path allows, if it is known without its verb
     * @param refused the fault of a name in such a path, if there is one
     */
    record Nothing<T>(NavigableSet<String> verbs, Optional<String> refused) implements Match<T> {}

    private final List<Route<T>> routes = new ArrayList<>();

    void add(HttpMethod method, String template, T target) {
        routes.add(new Route<>(method, template, PathTemplate.parse(template), target));
    }

    Match<T> find(HttpMethod method, String path) {
        PathTemplate asked = PathTemplate.parse(path);
        NavigableSet<String> allowed = new TreeSet<>();
        NavigableSet<String> verbs = new TreeSet<>();
        Optional<String> refused = Optional.empty();
        for (Route<T> route : routes) {
            Optional<Map<String, String>> variables = route.path().match(asked.segments());
            if (variables.isEmpty()) {
                continue;
            }
            route.path().verb().ifPresent(verbs::add);
            refused = route.path().refuseName(asked.segments());
            if (!route.path().verb().equals(asked.verb()) || refused.isPresent()) {
                continue;
            }
            if (route.method() == method) {
                return new Found<>(route.target(), variables.get());
            }
            allowed.add(route.method().name());
            if (route.method() == HttpMethod.GET) {
                allowed.add(HttpMethod.HEAD.name());
            }
        }
        return allowed.isEmpty() ? new Nothing<>(verbs, refused) : new WrongMethod<>(allowed);
    }

    /** The method and path of each route. */
    List<String> texts() {
        return routes.stream().map(route -> route.method() + " " + route.text()).toList();
    }
}
