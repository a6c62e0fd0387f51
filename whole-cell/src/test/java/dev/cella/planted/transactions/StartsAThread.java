package dev.cella.planted.transactions;

final class StartsAThread {
    void start() {
        new Thread(() -> {}).start();
    }
}
