package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutwardClientsTest {
    private final List<ClientFactory> made = new ArrayList<>();
    private final OutwardClients clients = new OutwardClients(this::make);

    private ClientFactory make() {
        ClientFactory factory = ClientFactory.builder().build();
        made.add(factory);
        return factory;
    }

    @AfterEach
    void closeAll() {
        clients.close();
    }

    @Test
    void factory_askedTwice_isMadeOnceAndNotBefore() {
        assertThat(made).isEmpty();
        assertThat(clients.factory()).isSameAs(clients.factory());
        assertThat(made).hasSize(1);
    }

    @Test
    void makeReady_thenAsked_isTheOneThatWasMade() {
        clients.makeReady();
        assertThat(made).containsExactly(clients.factory());
    }

    /** In a process of its own, because Armeria's default factory cannot be opened again. */
    @Test
    void makeReady_thenTheProcessIsAskedToStop_clientsCanStillBeMade() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AskedToStop.class.getName())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    /** Does what Armeria does when the process is asked to stop, and then makes the first client. */
    static final class AskedToStop {
        public static void main(String[] arguments) {
            try (OutwardClients ready =
                    new OutwardClients(() -> ClientFactory.builder().build())) {
                ready.makeReady();
                ClientFactory.closeDefault();
                var unused = WebClient.builder("http://127.0.0.1")
                        .factory(ready.factory())
                        .build();
            }
        }

        private AskedToStop() {}
    }

    @Test
    void close_ofWhatWasMade_closesIt() {
        ClientFactory factory = clients.factory();
        clients.close();
        assertThat(factory.isClosing()).isTrue();
    }

    @Test
    void factory_afterTheEnd_isClosedToo() {
        clients.close();
        assertThat(clients.factory().isClosing()).isTrue();
    }

    @Test
    void makeReady_whenClosed_makesNothing() {
        clients.close();
        clients.makeReady();
        assertThat(made).isEmpty();
    }
}
