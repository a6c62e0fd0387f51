package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
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

    private String logged(String logger, Level level) {
        LoggedFailure converter = new LoggedFailure();
        converter.setContext(context);
        converter.start();
        IllegalStateException failure = new IllegalStateException("r3 is closed");
        return converter.convert(
                new LoggingEvent("", context.getLogger(logger), level, "it failed", failure, new Object[0]));
    }
}
