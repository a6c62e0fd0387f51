package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
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
