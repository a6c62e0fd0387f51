package dev.cella.agent.keeper;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The two directions of a socket as streams that do not block each other. The streams of {@link java.nio.channels.Channels}
 * share a lock, so a reading thread blocks the writers.
 */
final class SocketStreams {
    private SocketStreams() {}

    static DataInputStream input(SocketChannel channel) {
        return new DataInputStream(new BufferedInputStream(new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return channel.read(ByteBuffer.wrap(bytes, offset, length));
            }
        }));
    }

    static DataOutputStream output(SocketChannel channel) {
        return new DataOutputStream(new BufferedOutputStream(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            }
        }));
    }
}
