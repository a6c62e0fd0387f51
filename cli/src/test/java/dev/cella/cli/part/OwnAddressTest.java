package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnAddressTest {
    private final List<String> said = new ArrayList<>();

    @Test
    void await_anAddressThatComesLate_saysOnceThatItWaits() throws Exception {
        List<Optional<InetAddress>> found = new ArrayList<>(List.of(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(InetAddress.getLoopbackAddress())));
        OwnAddress addresses = new OwnAddress(host -> found.remove(0), Duration.ZERO);

        addresses.await("10.0.0.1", said::add);

        assertThat(found).isEmpty();
        assertThat(said).containsExactly("the host 10.0.0.1 has no address here yet; this replica waits for it");
    }

    @Test
    void await_anAddressOfThisMachine_saysNothing() throws Exception {
        OwnAddress.ofThisMachine().await("127.0.0.1", said::add);
        OwnAddress.ofThisMachine().await("0.0.0.0", said::add);

        assertThat(said).isEmpty();
    }
}
