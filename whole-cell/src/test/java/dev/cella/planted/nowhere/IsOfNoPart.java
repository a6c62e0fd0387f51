package dev.cella.planted.nowhere;

import dev.cella.planted.client.Client;

final class IsOfNoPart {
    Client client() {
        return new Client();
    }
}
