package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.junit.jupiter.api.Test;

class LoggedFailureTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void convert_warningOfRatis_isALineWithoutATrace() {
        assertThat(logged("org.apache.ratis.grpc.server.GrpcLogAppender", Level.WARN))
                .contains("IllegalStateException: r3 is closed")
                .hasLineCount(1);
    }

    @Test
    void convert_errorOfRatisAndAnyFailureOfOurs_haveTheTrace() {
        assertThat(logged("org.apache.ratis.server.impl.RaftServerImpl", Level.ERROR))
                .contains("LoggedFailureTest.logged");
        assertThat(logged("dev.cella.state.web.FailureAnswers", Level.WARN)).contains("LoggedFailureTest.logged");
    }

    @Test
    void convert_errorOfRatisThatThisReplicaIsClosing_isALineWithoutATrace() {
        assertThat(logged(
                        "org.apache.ratis.server.RaftServer$Division",
                        Level.ERROR,
                        new ServerNotReadyException("current state is CLOSING")))
                .contains("ServerNotReadyException: current state is CLOSING")
                .hasLineCount(1);
    }

    private String logged(String logger, Level level) {
        return logged(logger, level, new IllegalStateException("r3 is closed"));
    }

    private String logged(String logger, Level level, Exception failure) {
        LoggedFailure converter = new LoggedFailure();
        converter.setContext(context);
        converter.start();
        return converter.convert(
                new LoggingEvent("", context.getLogger(logger), level, "it failed", failure, new Object[0]));
    }
}
