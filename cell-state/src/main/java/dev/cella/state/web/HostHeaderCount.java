package dev.cella.state.web;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.Optional;

/**
 * Refuses a request with two {@code Host} headers, as RFC 9112 requires. Armeria keeps only one of them, so this handler looks
 * between the codec and Armeria.
 *
 * <p>The codec enters the pipeline only when the first bytes show the version of HTTP. Until then this handler passes bytes on
 * one by one, so that no request is decoded before the check stands behind the codec.
 */
final class HostHeaderCount extends ChannelInboundHandlerAdapter {
    /** After this many bytes HTTP/2 is recognised. */
    private static final int PREFACE_LENGTH = 24;

    /** Armeria's codec is a private class. Netty names a handler by its class. */
    private static final String CODEC = "HttpServerCodec#";

    private int seen;

    /** Called for each connection that is opened. */
    static void install(ChannelPipeline pipeline, boolean secured) {
        if (secured) {
            pipeline.addLast(new AfterHandshake());
        } else {
            pipeline.addFirst(new HostHeaderCount());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            context.fireChannelRead(message);
            return;
        }
        while (seen < PREFACE_LENGTH && bytes.readableBytes() > 1 && !isInstalled(context)) {
            seen++;
            context.fireChannelRead(bytes.readRetainedSlice(1));
        }
        if (isInstalled(context) || seen >= PREFACE_LENGTH) {
            context.fireChannelRead(bytes);
            context.pipeline().remove(this);
        } else {
            seen++;
            context.fireChannelRead(bytes);
        }
    }

    private static boolean isInstalled(ChannelHandlerContext context) {
        ChannelPipeline pipeline = context.pipeline();
        if (pipeline.get(Check.class) != null) {
            return true;
        }
        Optional<String> codec =
                pipeline.names().stream().filter(name -> name.startsWith(CODEC)).findFirst();
        codec.ifPresent(name -> pipeline.addAfter(name, null, new Check()));
        return codec.isPresent();
    }

    /** Over TLS, the handshake tells the version of HTTP before any byte of a request. */
    private static final class AfterHandshake extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent) {
                boolean unused = isInstalled(context);
            }
            context.fireUserEventTriggered(event);
        }
    }

    private static final class Check extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request
                    && request.headers().getAll(HttpHeaderNames.HOST).size() > 1) {
                request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("two Host headers")));
            }
            context.fireChannelRead(message);
        }
    }
}
