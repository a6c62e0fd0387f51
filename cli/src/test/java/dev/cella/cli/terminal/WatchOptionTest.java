package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A watch is left open while the servers of its cell are upgraded. */
class WatchOptionTest {
    @TempDir
    Path home;

    private final WatchOption watch = new WatchOption(Duration.ofMillis(1));
    private TypedCommand typed;

    @BeforeEach
    void typeWatch() {
        typed = new TypedCommand(home);
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("watch", CommandLine.Model.CommandSpec.forAnnotatedObject(watch)))
                .parseArgs("--watch");
    }

    @Test
    void cellThatIsAwayForAWhile_isAskedAgain() {
        assertThatThrownBy(() -> run(List.of(
                        page -> page.print("one"),
                        page -> refuse(Problem.noLeader("no leader")),
                        page -> refuse(Problem.unavailable("still none")),
                        page -> page.print("two"),
                        page -> refuse(Problem.unavailable("away")),
                        page -> refuse(Problem.notFound("there is no such job")))))
                .hasMessage("there is no such job");
        assertThat(typed.out()).isEqualTo("one\n\ntwo\n");
        assertThat(typed.err()).isEqualTo("note:  no leader; asking again\nnote:  away; asking again\n");
    }

    @Test
    void cellThatIsAwayAtFirst_isAFailure() {
        assertThatThrownBy(() -> run(List.of(page -> refuse(Problem.unavailable("away")))))
                .hasMessage("away");
        assertThat(typed.err()).isEmpty();
    }

    @Test
    void messagesOnATerminal_areAPartOfTheScreen() {
        Screen screen = new Screen(true, false, 80, 24);
        WatchOption.draw(typed.terminal(), screen, WatchOptionTest::printAndSay, false);

        assertThat(typed.out()).isEqualTo(screen.cleared() + "a row\nno more rows\n");
        assertThat(typed.err()).isEmpty();
    }

    @Test
    void messagesInAPipe_areNoData() {
        WatchOption.draw(typed.terminal(), Screen.PLAIN_PIPE, WatchOptionTest::printAndSay, false);

        assertThat(typed.out()).isEqualTo("\na row\n");
        assertThat(typed.err()).isEqualTo("no more rows\n");
    }

    private static void printAndSay(Terminal page) {
        page.print("a row");
        page.say("no more rows");
    }

    private static void refuse(Problem problem) {
        throw problem;
    }

    private void run(List<Consumer<Terminal>> pages) throws InterruptedException {
        Queue<Consumer<Terminal>> left = new ArrayDeque<>(pages);
        watch.run(typed.terminal(), page -> left.remove().accept(page));
    }
}
