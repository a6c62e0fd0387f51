package dev.cella.cli.part;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.CoreConstants;

/**
 * The failure of a line of the log: with its stack trace, except for a warning of Ratis. Those tell of another replica that is
 * stopped or away, and the trace shows only Ratis' own threads. Neither has an error that says only that this one is closing:
 * a replica that has handed over still receives entries.
 */
public final class LoggedFailure extends ThrowableProxyConverter {
    private static final String RATIS = "org.apache.ratis.";
    private static final String CLOSING = "org.apache.ratis.protocol.exceptions.ServerNotReadyException";

    @Override
    public String convert(ILoggingEvent event) {
        if (event.getThrowableProxy() == null || !isBrief(event)) {
            return super.convert(event);
        }
        return "  " + event.getThrowableProxy().getClassName() + ": "
                + event.getThrowableProxy().getMessage() + CoreConstants.LINE_SEPARATOR;
    }

    private static boolean isBrief(ILoggingEvent event) {
        return event.getLoggerName().startsWith(RATIS)
                && (!event.getLevel().isGreaterOrEqual(Level.ERROR)
                        || event.getThrowableProxy().getClassName().equals(CLOSING));
    }
}
