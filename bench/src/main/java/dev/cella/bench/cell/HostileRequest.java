package dev.cella.bench.cell;

import dev.cella.client.access.CellAccess;
import java.net.URI;

/** The kinds of request that a closed server has to refuse. The first are by strangers, the others by callers with a token. */
enum HostileRequest {
    WITHOUT_TOKEN {
        @Override
        String bytes(URI server, CellAccess access) {
            return head("GET /v1/jobs", server.getAuthority(), "") + "\r\n";
        }
    },
    WRONG_TOKEN {
        @Override
        String bytes(URI server, CellAccess access) {
            return head("GET /v1/jobs", server.getAuthority(), "Authorization: Bearer cella_wrong\r\n") + "\r\n";
        }
    },
    WRONG_HOST {
        @Override
        String bytes(URI server, CellAccess access) {
            return head("GET /v1/jobs", "evil.example", token(access)) + "\r\n";
        }
    },
    FOREIGN_ORIGIN {
        @Override
        String bytes(URI server, CellAccess access) {
            return head("GET /v1/jobs", server.getAuthority(), token(access) + "Origin: http://evil.example\r\n")
                    + "\r\n";
        }
    },
    GIANT_BODY {
        @Override
        String bytes(URI server, CellAccess access) {
            return post(server, access, " ".repeat(BODY_BYTES));
        }
    },
    DEEP_BODY {
        @Override
        String bytes(URI server, CellAccess access) {
            return post(server, access, "[".repeat(100_000));
        }
    },
    BROKEN_BODY {
        @Override
        String bytes(URI server, CellAccess access) {
            return post(server, access, "{\"name\": \"a");
        }
    },
    NO_HTTP {
        @Override
        String bytes(URI server, CellAccess access) {
            return "\u0001\u0002 no request at all\r\n\r\n";
        }
    },
    ENDLESS_HEAD {
        @Override
        String bytes(URI server, CellAccess access) {
            return head("GET /v1/jobs", server.getAuthority(), "X-Long: " + "x".repeat(64 << 10) + "\r\n");
        }
    };

    /** More than a server reads. */
    private static final int BODY_BYTES = 9 << 20;

    /** The bytes to write on a new connection. */
    abstract String bytes(URI server, CellAccess access);

    private static String head(String line, String host, String more) {
        return line + " HTTP/1.1\r\nHost: " + host + "\r\n" + more;
    }

    private static String token(CellAccess access) {
        return "Authorization: " + access.authorization().orElseThrow() + "\r\n";
    }

    private static String post(URI server, CellAccess access, String body) {
        return head(
                        "POST /v1/jobs",
                        server.getAuthority(),
                        token(access) + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n")
                + "\r\n"
                + body;
    }
}
