package dev.cella.chaos.processes;

import java.nio.file.Path;

/** A disk in memory whose size changes while it is used. Every user with namespaces may have one. */
final class MemoryDisk implements ReplicaDisk {
    private final Path path;

    MemoryDisk(Path path) {
        this.path = ReplicaDisk.madeFolder(path);
        Tool.run("mount", "-t", "tmpfs", "-o", "size=" + ROOMY, "none", path.toString());
    }

    @Override
    public void fill() {
        resize(ReplicaDisk.kib(path, "used") + ROOM_LEFT_KIB + "k");
    }

    @Override
    public void free() {
        resize(ROOMY);
    }

    private void resize(String size) {
        Tool.run("mount", "-o", "remount,size=" + size, "none", path.toString());
    }

    @Override
    public void unmount() {
        Tool.works("umount", path.toString());
    }
}
