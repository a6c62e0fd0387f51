package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.access.TokenSecret;
import dev.cella.client.proto.CreateTokenRequest;
import dev.cella.client.proto.RevokeTokenRequest;
import dev.cella.state.core.ManualTime;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.SimulatedGroup;
import dev.cella.state.core.SimulatedReplica;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Token;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokenServiceTest {
    private static final Duration VALID = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();
    private SimulatedReplica simulated;
    private TokenService tokens;

    @BeforeEach
    void found() throws Exception {
        simulated = new SimulatedReplica(new SimulatedGroup(), ReplicaLimits.defaults(), time);
        simulated.lead();
        simulated.ask(new Command.RaiseFeatureLevel(EntryCodec.TOKENS_LEVEL));
        Replica replica = simulated.replica();
        tokens = new TokenService(
                replica, new Commands(replica), new FeatureLevels(replica::membership, Optional.empty()), time);
    }

    private void make(String name, String scope, long expiresAtMillis) {
        Token token = new Token(
                name, TokenSecret.hash(name), new TreeSet<>(List.of(scope)), new TreeSet<>(), expiresAtMillis);
        assertThat(simulated.ask(new Command.PutToken(token))).isInstanceOf(CommandResult.Done.class);
    }

    private void make(String name, String scope) {
        make(name, scope, 0);
    }

    private void revoke(String name) {
        CompletableFuture<?> revoked =
                tokens.revoke(RevokeTokenRequest.newBuilder().setName(name).build());
        simulated.settle();
        assertThat(revoked).isCompleted();
    }

    private void assertIsNotRevoked(String name) {
        assertThatThrownBy(() -> revoke(name)).isInstanceOfSatisfying(Problem.class, refused -> {
            assertThat(refused.type()).isEqualTo(ProblemType.CONFLICT);
            assertThat(refused.hint().orElseThrow()).contains("cella token create NAME --scope operate");
        });
        assertThat(names()).contains(name);
    }

    private List<String> names() {
        return simulated
                .replica()
                .read(view -> view.tokens().stream().map(Token::name).toList());
    }

    @Test
    void create_withWrongNames_saysWhichFieldIsWrong() {
        CreateTokenRequest.Builder request =
                CreateTokenRequest.newBuilder().setName("alice").addScopes("submit");

        assertThat(refusedField(request.clone().setName("A B"))).isEqualTo("name");
        assertThat(refusedField(request.clone().addPools("research").addPools("bad pool")))
                .isEqualTo("pools[1]");
        assertThat(refusedField(request.clone().addScopes("nonsense"))).isEqualTo("scopes[1]");
    }

    private String refusedField(CreateTokenRequest.Builder request) {
        Problem refused = catchThrowableOfType(Problem.class, () -> tokens.create(request.build()));
        return refused.errors().get(0).path();
    }

    @Test
    void revoke_lastTokenThatMayOperate_whileOthersAreLeft_isRefused() {
        make("first", "operate");
        make("batch", "schedule:batch");
        assertIsNotRevoked("first");
    }

    @Test
    void revoke_tokenThatMayOperate_besideAnother_isDone() {
        make("first", "operate");
        make("admin", "operate");
        revoke("first");
        assertThat(names()).containsExactly("admin");
    }

    @Test
    void revoke_tokenThatMayOperate_besideAnExpiredOne_isRefused_andTheExpiredOneMayGo() {
        make("first", "operate");
        make("admin", "operate", time.wallMillis() + VALID.toMillis());
        make("reader", "read");
        time.advance(VALID);
        assertIsNotRevoked("first");
        revoke("admin");
        assertThat(names()).containsExactly("first", "reader");
    }

    @Test
    void revoke_otherScopes_areNotHeldBack() {
        make("batch", "schedule:batch");
        make("reader", "read");
        revoke("batch");
        assertThat(names()).containsExactly("reader");
    }

    /** Then the next server that starts makes a new first token. */
    @Test
    void revoke_veryLastToken_isDone() {
        make("first", "operate");
        revoke("first");
        assertThat(names()).isEmpty();
    }
}
