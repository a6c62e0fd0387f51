package dev.cella.planted.agent;

final class Prints {
    void print() {
        System.out.println("planted");
    }
}
