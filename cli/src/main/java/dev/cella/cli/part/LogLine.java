package dev.cella.cli.part;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** A line of the log: the time in UTC, the level, the class that says it without its package, the text, and a failure below. */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final LoggedFailure failure = new LoggedFailure();

    @Override
    public void start() {
        failure.setContext(getContext());
        failure.start();
        super.start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        String logger = event.getLoggerName();
        return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()))
                + " " + event.getLevel() + (event.getLevel().toString().length() < 5 ? "  " : " ")
                + logger.substring(logger.lastIndexOf('.') + 1)
                + " " + event.getFormattedMessage() + CoreConstants.LINE_SEPARATOR + failure.convert(event);
    }
}
