package dev.cella.state.rocksdb;

import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.transactions.cell.copies.CellCopy;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A file of pages of the hot tables: for each page its key, its length and its bytes. A page that is gone has a negative
 * length.
 */
final class HotFile {
    private static final int GONE = -1;
    private static final int BUFFER_BYTES = 256 << 10;

    /**
     * Writes a new file to disk and returns its size in bytes.
     *
     * @param source writes the pages to the given receiver
     */
    static long write(Path file, Consumer<CellCopy.Pages> source) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
            source.accept(new Writer(new DataOutputStream(out)));
            out.flush();
            channel.force(true);
            return channel.size();
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private record Writer(DataOutputStream out) implements CellCopy.Pages {
        @Override
        public void page(long key, byte[] bytes) {
            try {
                out.writeLong(key);
                out.writeInt(bytes.length);
                out.write(bytes);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        @Override
        public void gone(long key) {
            try {
                out.writeLong(key);
                out.writeInt(GONE);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Applies the pages in the bytes of a file over those of earlier files. */
    static void readOver(Map<Long, byte[]> pages, byte[] file) throws DamagedCheckpointException {
        ByteBuffer in = ByteBuffer.wrap(file);
        while (in.hasRemaining()) {
            readPage(pages, in);
        }
    }

    private static void readPage(Map<Long, byte[]> pages, ByteBuffer in) throws DamagedCheckpointException {
        if (in.remaining() < Long.BYTES + Integer.BYTES) {
            throw new DamagedCheckpointException("its hot tables end early");
        }
        long key = in.getLong();
        int length = in.getInt();
        if (length == GONE) {
            pages.remove(key);
            return;
        }
        if (length < 0 || length > in.remaining()) {
            throw new DamagedCheckpointException("its hot tables end early");
        }
        byte[] page = new byte[length];
        in.get(page);
        pages.put(key, page);
    }

    private HotFile() {}
}
