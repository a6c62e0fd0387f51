package dev.cella.agent.keeper;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * How attempts ended that no agent has told the cell yet, in a file. A keeper that leaves because no agent comes writes it,
 * and the next keeper of the data directory reads it. The file stays until the last of these ends is reported.
 */
final class UnheardEnds {
    private final Path file;

    UnheardEnds(Path file) {
        this.file = file;
    }

    /** The state that the last keeper left; empty if its version was different. */
    List<KeptState> read() throws IOException {
        List<KeptState> ends = new ArrayList<>();
        if (!Files.exists(file)) {
            return ends;
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (in.readInt() != Wire.VERSION) {
                return ends;
            }
            long sinceMillis = Math.max(0, System.currentTimeMillis() - in.readLong());
            for (int left = in.readInt(); left > 0; left--) {
                ends.add(KeptState.read(in).later(sinceMillis));
            }
        }
        return ends;
    }

    /** The file is there as a whole, or as it was before. */
    void write(Collection<KeptState> ends) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(Wire.VERSION);
        out.writeLong(System.currentTimeMillis());
        out.writeInt(ends.size());
        for (KeptState end : ends) {
            end.write(out);
        }
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        OwnFiles.createFile(next);
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes.toByteArray());
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    void delete() {
        file.toFile().delete();
    }
}
