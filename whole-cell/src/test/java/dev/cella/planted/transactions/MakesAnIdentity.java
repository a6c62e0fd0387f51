package dev.cella.planted.transactions;

import java.util.UUID;

final class MakesAnIdentity {
    String identity() {
        return UUID.randomUUID().toString();
    }
}
