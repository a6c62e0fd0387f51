package dev.cella.cli.part;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The log of this process's parts, for operators: on standard error, or in a file if the terminal belongs to a person. A main
 * calls it before anything is logged. Classes with a logger may be loaded before.
 *
 * <p>Logback asks it how to write: the classes that read this from XML would take 3 MB of an agent for as long as it runs. A
 * process that is no part has {@code logback.xml}.
 */
public final class PartLog extends ContextAwareBase implements Configurator {
    private static final long FILE_BYTES_MAX = 10 << 20;

    private static volatile @Nullable Function<LoggerContext, Appender<ILoggingEvent>> chosen;

    /** What the first logger began before anything was chosen. */
    private static volatile @Nullable LoggerContext begunBefore;

    /** Begins with the first line, so that a command that refuses to start leaves no file behind. */
    private static final class Later extends AppenderBase<ILoggingEvent> {
        private final Supplier<Appender<ILoggingEvent>> beginning;
        private @Nullable Appender<ILoggingEvent> begun;

        Later(LoggerContext context, Supplier<Appender<ILoggingEvent>> beginning) {
            this.beginning = beginning;
            setContext(context);
            start();
        }

        @Override
        protected void append(ILoggingEvent event) {
            Appender<ILoggingEvent> appender = begun == null ? beginning.get() : begun;
            begun = appender;
            appender.doAppend(event);
        }

        @Override
        public synchronized void stop() {
            super.stop();
            if (begun != null) {
                begun.stop();
            }
        }
    }

    public static void toStandardError() {
        begin(PartLog::standardError);
    }

    public static void toFile(Path file) {
        begin(context -> file(context, file));
    }

    private static void begin(Function<LoggerContext, Appender<ILoggingEvent>> appender) {
        chosen = appender;
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        LoggerContext before = begunBefore;
        if (before != null) {
            before.reset();
            configure(before, new Later(before, () -> appender.apply(before)));
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Function<LoggerContext, Appender<ILoggingEvent>> appender = chosen;
        if (appender == null) {
            begunBefore = context;
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        configure(context, new Later(context, () -> appender.apply(context)));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static void configure(LoggerContext context, Appender<ILoggingEvent> appender) {
        context.getStatusManager().add(new NopStatusListener());
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.addTurboFilter(new FailedHandshakes(System::nanoTime));
        context.getLogger("dev.cella").setLevel(Level.INFO);
        // At each attempt to reach a replica that is gone it writes three stack traces; LogAppender says it in a line.
        context.getLogger("org.apache.ratis.util.LifeCycle").setLevel(Level.OFF);
        // For each stream that a server ends it writes a stack trace. The owner of the stream logs that in a line.
        context.getLogger("com.linecorp.armeria.client.AbstractHttpRequestHandler")
                .setLevel(Level.OFF);
    }

    private static Appender<ILoggingEvent> standardError(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setTarget("System.err");
        return begun(appender, context);
    }

    /** A full file is renamed, and the one that was renamed before it is deleted. */
    static Appender<ILoggingEvent> file(LoggerContext context, Path file) {
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setFile(file.toString());
        FixedWindowRollingPolicy names = new FixedWindowRollingPolicy();
        names.setContext(context);
        names.setParent(appender);
        names.setFileNamePattern(file + ".%i");
        names.setMinIndex(1);
        names.setMaxIndex(1);
        names.start();
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setCheckIncrement(Duration.buildBySeconds(0));
        size.setMaxFileSize(new FileSize(FILE_BYTES_MAX));
        size.start();
        appender.setRollingPolicy(names);
        appender.setTriggeringPolicy(size);
        return begun(appender, context);
    }

    private static Appender<ILoggingEvent> begun(OutputStreamAppender<ILoggingEvent> appender, LoggerContext context) {
        LogLine line = new LogLine();
        line.setContext(context);
        line.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(line);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
