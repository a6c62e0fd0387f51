package dev.cella.planted.scheduling;

import java.util.concurrent.CountDownLatch;

final class AwaitsAnother {
    void await(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }
}
