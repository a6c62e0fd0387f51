package dev.cella.planted.simulator;

import java.util.Collections;
import java.util.List;

final class ShufflesWithoutASeed {
    void shuffle(List<String> names) {
        Collections.shuffle(names);
    }
}
