package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailedHandshakesTest {
    private static final String CAUSE = "Received fatal alert: bad_certificate";

    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private long nanos;

    @BeforeEach
    void beginLog() {
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.addTurboFilter(new FailedHandshakes(() -> nanos));
        appender.setContext(context);
        appender.start();
        context.getLogger("ROOT").addAppender(appender);
    }

    @AfterEach
    void stopLog() {
        context.stop();
    }

    @Test
    void handshakesOfOnePeer_areOneLineAMinute_withACount() {
        for (int second = 0; second < 61; second++) {
            fail("10.0.0.1", CAUSE);
            fail("10.0.0.1", CAUSE);
            nanos += Duration.ofSeconds(1).toNanos();
        }

        assertThat(lines())
                .containsExactly(
                        "peer=10.0.0.1: a TLS handshake failed: " + CAUSE,
                        "peer=10.0.0.1: 120 TLS handshakes failed since the last such line: " + CAUSE);
    }

    @Test
    void otherPeersAndCauses_haveTheirOwnLines() {
        fail("10.0.0.1", CAUSE);
        fail("10.0.0.2", CAUSE);
        fail("10.0.0.1", "certificate_unknown");
        fail("::1", CAUSE);

        assertThat(lines())
                .containsExactly(
                        "peer=10.0.0.1: a TLS handshake failed: " + CAUSE,
                        "peer=10.0.0.2: a TLS handshake failed: " + CAUSE,
                        "peer=10.0.0.1: a TLS handshake failed: certificate_unknown",
                        "peer=[0:0:0:0:0:0:0:1]: a TLS handshake failed: " + CAUSE);
    }

    @Test
    void otherLines_areLogged() {
        context.getLogger("dev.cella.Any").warn("{} is late: {}", "m-1", "why");

        assertThat(lines()).containsExactly("m-1 is late: why");
    }

    private void fail(String peer, String cause) {
        String from = new InetSocketAddress(peer, 4_444).toString();
        context.getLogger("com.linecorp.armeria.server.Any")
                .warn("{} TLS handshake failed: {}", "[id: 0x1, L:/127.0.0.1:7070 ! R:" + from + "]", cause);
    }

    private List<String> lines() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
