package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.linecorp.armeria.common.HttpResponse;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.state.core.ManualTime;
import dev.cella.transactions.model.Token;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

final class AdmittedAnswersTest {
    private final ManualTime time = new ManualTime();
    private final Map<String, Token> tokens = new ConcurrentHashMap<>();
    private final AdmittedAnswers answers = new AdmittedAnswers(() -> tokens, time);

    @Test
    void answer_ofATokenThatIsRevoked_ends_andOthersGoOn() {
        HttpResponse alice = answers.admit(HttpResponse.streaming(), token("alice", 0));
        HttpResponse bob = answers.admit(HttpResponse.streaming(), token("bob", 0));
        time.advance(Duration.ofSeconds(10));
        assertThat(alice.isOpen()).isTrue();

        tokens.values().removeIf(token -> token.name().equals("alice"));
        time.advance(Duration.ofSeconds(1));
        assertThat(alice.isOpen()).as("time for the answer to the revocation").isTrue();
        time.advance(Duration.ofSeconds(1));

        assertThat(failure(alice).type()).isEqualTo(ProblemType.UNAUTHORIZED);
        assertThat(failure(alice)).hasMessage("The token alice was revoked");
        assertThat(bob.isOpen()).isTrue();
    }

    @Test
    void answer_afterItsTokenExpired_ends() {
        HttpResponse late = answers.admit(HttpResponse.streaming(), token("late", time.wallMillis() + 5_500));
        time.advance(Duration.ofSeconds(5));
        assertThat(late.isOpen()).isTrue();

        time.advance(Duration.ofSeconds(2));

        assertThat(failure(late)).hasMessage("The token late has expired");
    }

    @Test
    void looks_endWithTheLastAnswer_andBeginAgainWithTheNext() {
        assertThat(time.waiting()).isZero();
        HttpResponse first = answers.admit(HttpResponse.streaming(), token("first", 0));
        HttpResponse second = answers.admit(HttpResponse.streaming(), token("second", 0));
        assertThat(time.waiting()).isEqualTo(1);
        first.abort();
        second.abort();
        time.advance(Duration.ofSeconds(2));
        assertThat(time.waiting()).as("nothing is left to look at").isZero();

        HttpResponse late = answers.admit(HttpResponse.streaming(), token("late", time.wallMillis() + 500));
        time.advance(Duration.ofSeconds(2));

        assertThat(failure(late)).hasMessage("The token late has expired");
    }

    @Test
    void close_endsTheLooks() {
        HttpResponse alice = answers.admit(HttpResponse.streaming(), token("alice", 0));
        answers.close();
        tokens.clear();

        time.advance(Duration.ofSeconds(10));

        assertThat(alice.isOpen()).isTrue();
    }

    private static Problem failure(HttpResponse answer) {
        Throwable failure = catchThrowable(() -> answer.whenComplete().get());
        return FailureAnswers.problemOf(Objects.requireNonNull(failure.getCause()));
    }

    private Token token(String name, long expiresAtMillis) {
        String hash = Integer.toHexString(name.hashCode());
        Token token = new Token(
                name,
                "0".repeat(Token.HASH_LENGTH - hash.length()) + hash,
                new TreeSet<>(Set.of("read")),
                new TreeSet<>(),
                expiresAtMillis);
        tokens.put(token.hash(), token);
        return token;
    }
}
