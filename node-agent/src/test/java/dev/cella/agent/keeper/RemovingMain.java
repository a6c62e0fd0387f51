package dev.cella.agent.keeper;

import java.nio.file.Path;

/** Removes the folder that it is given, as the user that it runs as. */
public final class RemovingMain {
    private RemovingMain() {}

    public static void main(String[] arguments) throws Exception {
        Folders.remove(Path.of(arguments[0]));
    }
}
