package dev.cella.planted.transactions;

import dev.cella.planted.client.Client;

final class UsesTheClient {
    Client client() {
        return new Client();
    }
}
