package dev.cella.agent.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The limits of this process that its tasks get from it. A task may have less but not more: not every root may raise them. */
final class OwnLimits {
    private static final long FILES_MAX = 65_536;

    /** How many files a task may open. */
    static final long FILES = Math.min(hard("Max open files"), FILES_MAX);

    /** How many processes its user may have. podman asks for as many as the kernel has numbers for, which may be fewer. */
    static final long PROCESSES = Math.min(hard("Max processes"), numbers());

    private OwnLimits() {}

    /** The hard limit in that row; larger than any if there is none. */
    private static long hard(String row) {
        try {
            return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                    .filter(line -> line.startsWith(row))
                    .map(line -> line.substring(row.length()).trim().split("\\s+", -1)[1])
                    .filter(hard -> hard.matches("[0-9]+"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }

    /** Reads the line at once: such a file has nothing after its first byte for a reader that asks for one byte first. */
    private static long numbers() {
        try (BufferedReader file = Files.newBufferedReader(Path.of("/proc/sys/kernel/pid_max"))) {
            return Long.parseLong(String.valueOf(file.readLine()));
        } catch (IOException | NumberFormatException unknown) {
            return Short.MAX_VALUE;
        }
    }
}
