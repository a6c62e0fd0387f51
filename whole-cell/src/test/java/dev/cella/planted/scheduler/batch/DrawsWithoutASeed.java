package dev.cella.planted.scheduler.batch;

import java.util.Random;

final class DrawsWithoutASeed {
    int draw() {
        return new Random().nextInt();
    }
}
