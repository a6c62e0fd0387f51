package dev.cella.agent;

import dev.cella.agent.keeper.OwnFiles;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine's registration in its data directory, so that a restarted agent continues with it. A registration from before the
 * machine booted is useless, because no process of it is left.
 *
 * @param bootId the boot id of the registration
 */
record KeptRegistration(String bootId, Registered registered) {
    private static final Logger logger = LoggerFactory.getLogger(KeptRegistration.class);
    private static final Path KERNEL_BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static Path file(Path dataDirectory, String machine) {
        return dataDirectory.resolve("registration-" + machine);
    }

    static Optional<KeptRegistration> read(Path dataDirectory, String machine) {
        try {
            List<String> lines = Files.readAllLines(file(dataDirectory, machine));
            if (lines.size() < 4 || !lines.get(0).equals(kernelBoot())) {
                return Optional.empty();
            }
            return Optional.of(new KeptRegistration(
                    lines.get(1),
                    new Registered(
                            new Incarnation(Long.parseLong(lines.get(2))),
                            new MachineId(Long.parseLong(lines.get(3))))));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException damaged) {
            logger.warn("machine={} event=registration-unreadable: it registers as a new one", machine, damaged);
            return Optional.empty();
        }
    }

    private static String kernelBoot() throws IOException {
        return Files.readString(KERNEL_BOOT).trim();
    }

    void write(Path dataDirectory, String machine) {
        try {
            Path file = file(dataDirectory, machine);
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            OwnFiles.createFile(fresh);
            Files.write(
                    fresh,
                    List.of(
                            kernelBoot(),
                            bootId,
                            Long.toString(registered.incarnation().number()),
                            Long.toString(registered.machine().version())));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            logger.warn(
                    "machine={} event=registration-not-kept: an agent started again cannot adopt: {}",
                    machine,
                    failure.toString());
        }
    }
}
