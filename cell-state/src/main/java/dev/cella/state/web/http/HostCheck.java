package dev.cella.state.web.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that a browser was tricked into sending. It stands before every route, also before gRPC.
 *
 * <p>Any web page can make a browser send requests to a cell on the user's machine; loopback is no protection. Two headers
 * that a page cannot forge reveal this. A page that calls a server of another name is named in {@code Origin}. A page whose
 * own name resolves to this machine (DNS rebinding) has the same origin for the browser, but its own name is in {@code Host}.
 * So {@code Host} must be a name that this server was given, or the address that the connection came to, which nobody can
 * redirect. {@code Origin}, if present, must be this server's own. The port in {@code Host} is not compared: it says nothing
 * about the caller, and a tunnel changes it.
 */
public final class HostCheck implements DecoratingHttpServiceFunction {
    private final ProblemAnswers problems;
    private final Set<String> names;

    /**
     * @param names the host names and addresses of this server, without a port
     */
    public HostCheck(ProblemAnswers problems, Collection<String> names) {
        this.problems = problems;
        this.names = names.stream().map(HostCheck::normal).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public HttpResponse serve(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        String host = request.authority();
        if (host == null
                || !isOurs(normal(withoutPort(host)), context.localAddress().getAddress())) {
            return problems.answer(Problem.forbidden("This server does not answer to the Host of this request")
                    .withHint("use its address, or start it with that name as one of its host names"));
        }
        if (!isOwnOrigin(request.headers().get(HttpHeaderNames.ORIGIN), host, context)) {
            return problems.answer(Problem.forbidden("Requests of web pages of another origin are refused"));
        }
        return delegate.serve(context, request);
    }

    private boolean isOurs(String host, InetAddress local) {
        return names.contains(host) || host.equals(normal(local.getHostAddress()));
    }

    private static boolean isOwnOrigin(@Nullable String origin, String host, ServiceRequestContext context) {
        String scheme = context.sessionProtocol().isTls() ? "https://" : "http://";
        return origin == null || origin.equalsIgnoreCase(scheme + host);
    }

    private static String withoutPort(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }

    /** In lower case, without the brackets of IPv6, and with ::1 in its short form. */
    private static String normal(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String lower = bare.toLowerCase(Locale.ROOT);
        return lower.equals("0:0:0:0:0:0:0:1") ? "::1" : lower;
    }
}
