package dev.cella.state.web;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.Cookie;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page on which a browser's user enters a token. It shows that of the address, as in {@code /#token=T}. The token
 * becomes a cookie that scripts cannot read and other sites cannot send. Nothing asks the cell about it here: a token that is
 * refused leads back to this page, which then says why.
 */
final class LoginPage implements HttpService {
    static final String PATH = "/login";

    private static final String COOKIE = "cella-token";
    private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");

    private static final int TOKEN_LENGTH_MAX = 200;
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self';"
                    + " base-uri 'none'; frame-ancestors 'none'";

    private static final String PAGE = """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>Cella: token</title>
            <link rel="icon" href="/dashboard/icon.svg" type="image/svg+xml">
            <style>body{font:16px sans-serif;margin:4em auto;max-width:36em}input{width:100%%;font:14px monospace}[role=alert]{color:#a11}</style>
            <h1>This cell asks for a token</h1>
            <p>The token of a <code>cella dev</code> is in the file <code>token</code> of its data directory. Otherwise an operator makes one:
            <code>cella token create NAME --scope read</code>.</p>
            <p role="alert">%s</p>
            <form method="post" action="/login"><p><label>Token <input type="password" name="token" autofocus
            autocomplete="off"></label></p><p><button>Show the cell</button></p></form>
            <script type="module" src="/dashboard/login.js"></script></html>
            """;

    private final boolean secured;

    /**
     * @param secured whether the server speaks TLS, so that the cookie is sent over TLS only
     */
    LoginPage(boolean secured) {
        this.secured = secured;
    }

    /** The token in the cookie that this page made, if the request has one. */
    static Optional<String> token(RequestHeaders headers) {
        return token(headers, cookie(headers)).or(() -> token(headers, COOKIE));
    }

    /** An earlier program made the cookie without a port, and a server of it forwards that one. */
    private static Optional<String> token(RequestHeaders headers, String name) {
        return headers.cookies().stream()
                .filter(cookie -> cookie.name().equals(name))
                .map(Cookie::value)
                .findFirst();
    }

    /**
     * The name of the cookie, with the port that the browser asked. Browsers send a cookie to every port of its host, so
     * without the port the cells of one host would overwrite each other's tokens.
     */
    private static String cookie(RequestHeaders headers) {
        String address = headers.authority();
        Matcher port = PORT.matcher(address == null ? "" : address);
        return port.find() ? COOKIE + "-" + port.group(1) : COOKIE;
    }

    /**
     * Asks for a token.
     *
     * @param refusal why the one that the browser sent is refused; empty if it sent none
     */
    HttpResponse ask(String refusal) {
        return page(HttpStatus.UNAUTHORIZED, refusal.isEmpty() ? "" : refusal + ".");
    }

    /** With the policy {@code no-referrer}, browsers would send the form with {@code Origin: null}, which is refused. */
    private static HttpResponse page(HttpStatus status, String refusal) {
        return HttpResponse.of(
                ResponseHeaders.builder(status)
                        .contentType(MediaType.HTML_UTF_8)
                        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
                        .set(HttpHeaderNames.REFERRER_POLICY, "same-origin")
                        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                        .build(),
                HttpData.ofUtf8(PAGE.formatted(refusal.replace("&", "&amp;").replace("<", "&lt;"))));
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        return request.method() == HttpMethod.POST
                ? HttpResponse.of(request.aggregate().thenApply(form -> keep(cookie(request.headers()), form)))
                : page(HttpStatus.OK, "");
    }

    private HttpResponse keep(String name, AggregatedHttpRequest form) {
        String token =
                QueryParams.fromQueryString(form.contentUtf8()).get("token", "").strip();
        if (token.length() > TOKEN_LENGTH_MAX) {
            return ask("This is no token. A token has at most " + TOKEN_LENGTH_MAX + " characters");
        }
        if (!token.matches("[A-Za-z0-9._-]*")) {
            return ask("This is no token. A token has letters, digits, dots, hyphens and underscores only");
        }
        if (token.isEmpty()) {
            return ask("");
        }
        Cookie cookie = Cookie.secureBuilder(name, token)
                .httpOnly(true)
                .secure(secured)
                .sameSite("Strict")
                .path("/")
                .build();
        return HttpResponse.of(ResponseHeaders.builder(HttpStatus.SEE_OTHER)
                .set(HttpHeaderNames.LOCATION, "/")
                .set(HttpHeaderNames.SET_COOKIE, cookie.toSetCookieHeader())
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build());
    }
}
