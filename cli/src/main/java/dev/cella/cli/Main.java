package dev.cella.cli;

/** Where the process of the command {@code cella} starts. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.out.println("cella " + Version.current());
    }
}
