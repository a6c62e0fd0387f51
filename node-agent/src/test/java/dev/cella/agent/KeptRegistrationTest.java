package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptRegistrationTest {
    private static final KeptRegistration KEPT =
            new KeptRegistration("boot-1", new Registered(new Incarnation(7), new MachineId(12)));

    @TempDir
    Path folder;

    @Test
    void restartedAgent_goesOnWithItsRegistration() {
        KEPT.write(folder, "m-1");
        assertThat(KeptRegistration.read(folder, "m-1")).contains(KEPT);
        assertThat(KeptRegistration.read(folder, "m-2")).isEmpty();
    }

    @Test
    void registrationFromBeforeTheMachineBooted_isNone() throws IOException {
        KEPT.write(folder, "m-1");
        Path file = folder.resolve("registration-m-1");
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(0, "another-boot-of-the-kernel");
        Files.write(file, lines);
        assertThat(KeptRegistration.read(folder, "m-1")).isEmpty();
    }

    @Test
    void registrationThatIsDamaged_isNone() throws IOException {
        KEPT.write(folder, "m-1");
        Path file = folder.resolve("registration-m-1");
        Files.write(file, Files.readAllLines(file).subList(0, 3));
        assertThat(KeptRegistration.read(folder, "m-1")).isEmpty();
    }
}
