package dev.cella.planted.transactions;

final class ReadsTheClock {
    long nanos() {
        return System.nanoTime();
    }
}
