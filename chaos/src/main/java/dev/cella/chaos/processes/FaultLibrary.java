package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A library in C that a process loads before all others, so that its disk fails or slows and its clock is wrong when {@link
 * FaultSwitches} say so. The machine's own compiler makes it for each run, because no library fits every machine.
 */
public final class FaultLibrary {
    private static final String SOURCE = "faults.c";
    private static final String COMPILER = "cc";

    private final Path library;

    private FaultLibrary(Path library) {
        this.library = library;
    }

    /** Why this machine cannot make it, and what would help; empty if it can. */
    public static Optional<String> whyNot() {
        return whyNot(COMPILER);
    }

    /** A compiler without the headers of the C library is there, and makes nothing. */
    static Optional<String> whyNot(String compiler) {
        if (!Tool.works(compiler, "--version")) {
            return Optional.of("no C compiler, which makes the library that breaks disks and clocks: install gcc");
        }
        try (RunFolder folder = RunFolder.make()) {
            compile(folder.path(), compiler);
            return Optional.empty();
        } catch (Tool.Refusal refused) {
            return Optional.of(
                    "the C compiler cannot make the library that breaks disks and clocks: install the headers"
                            + " of the C library (libc6-dev or glibc-devel)");
        }
    }

    /** Makes it in that folder. */
    public static FaultLibrary compile(Path folder) {
        return compile(folder, COMPILER);
    }

    private static FaultLibrary compile(Path folder, String compiler) {
        Path source = folder.resolve(SOURCE);
        Path library = folder.resolve("faults.so");
        try (InputStream text = FaultLibrary.class.getResourceAsStream(SOURCE)) {
            if (text == null) {
                throw new IllegalStateException(SOURCE + " is missing beside this class");
            }
            Files.copy(text, source);
        } catch (IOException failure) {
            throw new UncheckedIOException("writing " + source, failure);
        }
        Tool.run(compiler, "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl");
        return new FaultLibrary(library);
    }

    /** For a process whose files are in {@code disk}. */
    public Map<String, String> environment(FaultSwitches switches, Path disk) {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "CELLA_FAULTS_SWITCHES",
                switches.file().toString(),
                "CELLA_FAULTS_DISK",
                disk.toString());
    }
}
