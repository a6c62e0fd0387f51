package dev.cella.planted.scheduler.service;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Copies an array, converts a unit and draws from a seed, none of which a rule may take for the clock, a thread or chance. */
final class KeepsAllRules {
    int[] copy(int[] numbers) {
        int[] copy = new int[numbers.length];
        System.arraycopy(numbers, 0, copy, 0, numbers.length);
        return copy;
    }

    long draw(long seed) {
        return TimeUnit.SECONDS.toMillis(new Random(seed).nextInt(60));
    }
}
