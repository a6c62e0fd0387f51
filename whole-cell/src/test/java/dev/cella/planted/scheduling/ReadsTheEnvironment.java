package dev.cella.planted.scheduling;

final class ReadsTheEnvironment {
    String home() {
        return System.getProperty("user.home");
    }
}
