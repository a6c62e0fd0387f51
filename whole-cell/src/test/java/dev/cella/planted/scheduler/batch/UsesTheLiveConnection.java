package dev.cella.planted.scheduler.batch;

import dev.cella.planted.scheduling.live.Connection;

final class UsesTheLiveConnection {
    Connection connection() {
        return new Connection();
    }
}
