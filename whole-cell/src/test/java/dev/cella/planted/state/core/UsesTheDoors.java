package dev.cella.planted.state.core;

import dev.cella.planted.state.web.Door;

final class UsesTheDoors {
    Door[] doors() {
        return new Door[] {new Door()};
    }
}
