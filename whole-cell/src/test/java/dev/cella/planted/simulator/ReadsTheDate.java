package dev.cella.planted.simulator;

import java.time.Clock;
import java.time.Instant;

final class ReadsTheDate {
    Instant now() {
        return Instant.now(Clock.systemUTC());
    }
}
