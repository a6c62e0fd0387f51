package dev.cella.cli.member;

import dev.cella.cli.terminal.Terminal;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.MemberList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Repeats the request for a change of the members until a leader has made it: a leader transfers the leadership before it is
 * removed.
 */
final class MemberChange {
    /** Each try asks around for some seconds by itself. */
    private static final int TRIES = 5;

    private MemberChange() {}

    static MemberList untilLed(Terminal terminal, Supplier<MemberList> change) throws InterruptedException {
        for (int triesLeft = TRIES; ; triesLeft--) {
            try {
                return change.get();
            } catch (Problem problem) {
                if (problem.type() != ProblemType.NO_LEADER || triesLeft == 0) {
                    throw problem;
                }
                terminal.say(problem.detail() + "; asking again");
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }
}
