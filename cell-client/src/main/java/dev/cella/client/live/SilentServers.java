package dev.cella.client.live;

import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.ClientFactoryOptions;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends connections to a server that says nothing any more, because it hangs, has lost its power, or is cut off.
 *
 * <p>Armeria pings a server after a time without reads and writes, and closes the connection if no answer comes. But each new
 * request ends its wait for the answer. A client that goes on asking would notice by the time-outs of its requests. Its
 * streams have none, and would go on for ever. So a connection on which nothing arrives is closed too.
 *
 * <p>For HTTP/2 alone: over HTTP/1 nobody can ping while an answer is under way.
 */
public final class SilentServers {
    private static final Duration PING_INTERVAL = Duration.ofSeconds(2);

    /**
     * More than the distance between heartbeats of the feed. So a server that cannot decide anything for a while, because its
     * disk stands still, keeps the connections of those who watch the cell.
     */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(7);

    private SilentServers() {}

    /** Sets the pings of the clients and the longest silence. */
    public static void leave(ClientFactoryBuilder factory) {
        factory.pingInterval(PING_INTERVAL)
                .option(ClientFactoryOptions.CHANNEL_PIPELINE_CUSTOMIZER, pipeline -> pipeline.addFirst(new Silence()));
    }

    private static final class Silence extends ReadTimeoutHandler {
        Silence() {
            super(SILENCE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** Without an exception, which Armeria would log for each call that the connection carries. */
        @Override
        protected void readTimedOut(ChannelHandlerContext connection) {
            var unused = connection.close();
        }
    }
}
