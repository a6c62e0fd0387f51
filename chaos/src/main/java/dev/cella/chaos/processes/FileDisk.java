package dev.cella.chaos.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A disk whose power can be cut: ext4 in a file, on a loop device. A cut drops everything that the kernel was not told to sync;
 * from then on the disk answers with errors. Only root may have one.
 */
final class FileDisk implements ReplicaDisk {
    /** FS_IOC_SHUTDOWN without a flush of the journal. */
    private static final String CUT = """
            open(my $disk, "<", $ARGV[0]) or die "$!\\n";
            my $withoutFlush = pack("I", 2);
            ioctl($disk, 0x8004587D, $withoutFlush) or die "$!\\n";
            """;

    private static final String PROBE = """
            set -e
            mount -t tmpfs none /mnt
            truncate -s 32m /mnt/disk
            mkfs.ext4 -q -F /mnt/disk
            mkdir /mnt/on
            mount -o loop /mnt/disk /mnt/on
            perl -e 1
            umount /mnt/on
            """;

    private final Path path;
    private final Path image;

    FileDisk(Path path) {
        this.path = ReplicaDisk.madeFolder(path);
        this.image = path.resolveSibling(path.getFileName() + ".img");
        Tool.run("truncate", "-s", ROOMY, image.toString());
        Tool.run("mkfs.ext4", "-q", "-F", "-m", "0", "-N", "16384", image.toString());
        mount();
    }

    /** Why this machine allows none, and what would help; empty if it does. */
    static Optional<String> whyNot() {
        return Tool.works(Enclosure.around(List.of("sh", "-c", PROBE)).toArray(String[]::new))
                ? Optional.empty()
                : Optional.of("no disk on a loop device, whose power can be cut: run it as root, with loop devices,"
                        + " and install e2fsprogs and perl");
    }

    private void mount() {
        Tool.run("mount", "-o", "loop", image.toString(), path.toString());
    }

    void cutPower() {
        Tool.run("perl", "-e", CUT, path.toString());
    }

    /** The disk as the cut left it. Nothing may use it at that moment. */
    void restorePower() {
        Tool.run("umount", path.toString());
        mount();
    }

    @Override
    public void fill() {
        Tool.run(
                "fallocate",
                "-l",
                Math.max(1, ReplicaDisk.kib(path, "avail") - ROOM_LEFT_KIB) + "KiB",
                filler().toString());
    }

    @Override
    public void free() {
        Tool.run("rm", "-f", filler().toString());
    }

    private Path filler() {
        return path.resolve("filler");
    }

    @Override
    public void unmount() {
        Tool.works("umount", path.toString());
    }
}
