package dev.cella.agent.keeper;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An agent with a locale of its own, whose keeper runs one task, which prints its argument. Takes the data directory. */
public final class PrintingAgentMain {
    static final String TEXT = "gr\u00fcn \u017cy\u0107 \u65e5\u672c";

    private PrintingAgentMain() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Path output = Files.createDirectory(folder.resolve("attempt"));
        CompletableFuture<KeptEnd> ended = new CompletableFuture<>();
        try (Keeper keeper = Keeper.open(Path.of("setsid"), folder, folder, false)) {
            keeper.listen(new Keeper.Listener() {
                @Override
                public void started(String mark) {}

                @Override
                public void refused(String mark, String why) {
                    ended.completeExceptionally(new IllegalStateException(why));
                }

                @Override
                public void ended(String mark, KeptEnd end) {
                    ended.complete(end);
                }
            });
            keeper.start(new KeptLaunch(
                    "prints",
                    new byte[0],
                    false,
                    false,
                    List.of("/bin/sh", "-c", "printf %s \"$1\"", "prints", TEXT),
                    Map.of(),
                    Path.of("/"),
                    output.resolve("work"),
                    output,
                    1 << 20,
                    KeptLaunch.NO_BOUND,
                    Optional.empty()));
            ended.join();
        }
    }
}
