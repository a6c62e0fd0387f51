package dev.cella.state.web.service;

import com.google.protobuf.util.Timestamps;
import dev.cella.client.Problem;
import dev.cella.client.access.TokenSecret;
import dev.cella.client.job.Names;
import dev.cella.client.proto.AuditList;
import dev.cella.client.proto.AuditRow;
import dev.cella.client.proto.CreateTokenRequest;
import dev.cella.client.proto.ListAuditRequest;
import dev.cella.client.proto.ListTokensRequest;
import dev.cella.client.proto.RevokeTokenRequest;
import dev.cella.client.proto.TokenCreated;
import dev.cella.client.proto.TokenList;
import dev.cella.client.proto.TokenRevoked;
import dev.cella.client.proto.TokenServiceGrpc;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.history.AuditedCommand;
import dev.cella.state.web.access.Caller;
import dev.cella.state.web.access.Scope;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Token;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Makes, lists and revokes tokens, and tells what was asked with them. A secret is in one answer and nowhere else. */
final class TokenService {
    private final Replica replica;
    private final Commands commands;
    private final FeatureLevels levels;
    private final Time time;
    private final SecureRandom random = new SecureRandom();

    /** By several threads. A second token of a name would replace the first one, whose secret was just given away. */
    private final Set<String> beingMade = ConcurrentHashMap.newKeySet();

    TokenService(Replica replica, Commands commands, FeatureLevels levels, Time time) {
        this.replica = replica;
        this.commands = commands;
        this.levels = levels;
        this.time = time;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(TokenServiceGrpc.getCreateTokenMethod(), this::create),
                new UnaryMethod<>(TokenServiceGrpc.getListTokensMethod(), this::list),
                new UnaryMethod<>(TokenServiceGrpc.getRevokeTokenMethod(), this::revoke),
                new UnaryMethod<>(TokenServiceGrpc.getListAuditMethod(), this::audit));
    }

    CompletableFuture<Answer<TokenCreated>> create(CreateTokenRequest request) {
        Names.refuse(request.getName()).ifPresent(why -> {
            throw Requests.bad("name", why);
        });
        checkScopes(request);
        checkPools(request);
        String secret = TokenSecret.make(replica.cell().text(), random);
        long expiresAt = request.hasExpiresAt() ? Timestamps.toMillis(request.getExpiresAt()) : 0;
        if (request.hasExpiresAt() && expiresAt <= time.wallMillis()) {
            throw Requests.bad("expiresAt", "is over already");
        }
        Token token = Requests.checked(
                "name",
                () -> new Token(
                        request.getName(),
                        TokenSecret.hash(secret),
                        new TreeSet<>(request.getScopesList()),
                        new TreeSet<>(request.getPoolsList()),
                        expiresAt));
        if (!beingMade.add(token.name())) {
            throw Problem.conflict("A token " + token.name() + " is being made")
                    .withHint("use another name, or ask again");
        }
        // In stages from here on, so that the last one runs after every failure.
        return CompletableFuture.completedFuture(token)
                .thenCompose(this::putNew)
                .thenApply(done -> {
                    TokenCreated.Builder created = TokenCreated.newBuilder()
                            .setName(token.name())
                            .addAllScopes(token.scopes())
                            .addAllPools(token.pools())
                            .setSecret(secret)
                            .setVersion(done.version().number());
                    if (expiresAt > 0) {
                        created.setExpiresAt(Timestamps.fromMillis(expiresAt));
                    }
                    return Answer.ok(created.build());
                })
                .whenComplete((created, failure) -> beingMade.remove(token.name()));
    }

    private CompletableFuture<CommandResult.Done> putNew(Token token) {
        if (replica.read(view -> view.token(token.name()).isPresent())) {
            throw Problem.conflict("There is a token " + token.name())
                    .withHint("use another name, or revoke it first (cella token revoke " + token.name()
                            + "): what runs with it stops working");
        }
        return raised().thenCompose(raised -> commands.done(Lane.OPERATORS, new Command.PutToken(token)));
    }

    private CompletableFuture<Void> raised() {
        return replica.read(view -> view.featureLevel()) >= EntryCodec.TOKENS_LEVEL
                ? CompletableFuture.completedFuture(null)
                : levels.raise(EntryCodec.TOKENS_LEVEL, commands);
    }

    private static void checkScopes(CreateTokenRequest request) {
        for (int place = 0; place < request.getScopesCount(); place++) {
            String scope = request.getScopes(place);
            if (Scope.parse(scope).isEmpty()) {
                throw Requests.bad(
                        "scopes[" + place + "]",
                        "\"" + scope + "\" is no scope: read, submit, operate, schedule:NAME or machine:NAME");
            }
        }
    }

    private static void checkPools(CreateTokenRequest request) {
        for (int place = 0; place < request.getPoolsCount(); place++) {
            String field = "pools[" + place + "]";
            Names.refusePool(request.getPools(place)).ifPresent(why -> {
                throw Requests.bad(field, why);
            });
        }
    }

    private CompletableFuture<Answer<TokenList>> list(ListTokensRequest request) {
        long now = time.wallMillis();
        TokenList list = replica.read(view -> {
            TokenList.Builder rows =
                    TokenList.newBuilder().setVersion(view.version().number());
            view.tokens().forEach(token -> rows.addTokens(row(token, now)));
            return rows.build();
        });
        return CompletableFuture.completedFuture(Answer.ok(list));
    }

    private static dev.cella.client.proto.Token row(Token token, long now) {
        dev.cella.client.proto.Token.Builder row = dev.cella.client.proto.Token.newBuilder()
                .setName(token.name())
                .addAllScopes(token.scopes())
                .addAllPools(token.pools())
                .setExpired(isExpired(token, now));
        if (token.expiresAtMillis() > 0) {
            row.setExpiresAt(Timestamps.fromMillis(token.expiresAtMillis()));
        }
        return row.build();
    }

    CompletableFuture<Answer<TokenRevoked>> revoke(RevokeTokenRequest request) {
        Token token = replica.read(view -> view.token(request.getName()))
                .orElseThrow(() -> Problem.notFound("There is no token " + request.getName()));
        if (isLastOperator(token)) {
            throw Problem.conflict("The token " + token.name() + " is the last one with the scope operate")
                    .withHint("make another one first (cella token create NAME --scope operate): without one nobody can"
                            + " make or revoke a token");
        }
        return commands.done(Lane.OPERATORS, new Command.RevokeToken(request.getName()))
                .thenApply(done -> Answer.ok(TokenRevoked.newBuilder()
                        .setName(request.getName())
                        .setVersion(done.version().number())
                        .build()));
    }

    /**
     * Returns whether other tokens would be left, and none of them to operate the cell with. The very last token may go: in a
     * cell without any, the next server that starts makes a new first token. Two revocations at once may both pass, because
     * each looks at the tokens before the other is in the log.
     */
    private boolean isLastOperator(Token token) {
        long now = time.wallMillis();
        List<Token> others = replica.tokensByHash().values().stream()
                .filter(other -> !other.name().equals(token.name()))
                .toList();
        return operates(token, now) && !others.isEmpty() && others.stream().noneMatch(other -> operates(other, now));
    }

    private static boolean operates(Token token, long now) {
        return !isExpired(token, now) && Caller.of(token).mayOperate();
    }

    private static boolean isExpired(Token token, long now) {
        return token.expiresAtMillis() > 0 && token.expiresAtMillis() <= now;
    }

    private CompletableFuture<Answer<AuditList>> audit(ListAuditRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        Optional<String> principal = request.hasPrincipal() ? Optional.of(request.getPrincipal()) : Optional.empty();
        AuditList.Builder list = AuditList.newBuilder()
                .setVersion(replica.version().number())
                .setKeptAfter(replica.audit().keptAfter());
        replica.audit().after(request.getAfter(), principal, limit).forEach(command -> list.addAudit(row(command)));
        return CompletableFuture.completedFuture(Answer.ok(list.build()));
    }

    private static AuditRow row(AuditedCommand command) {
        return AuditRow.newBuilder()
                .setVersion(command.version())
                .setAt(Timestamps.fromMillis(command.atMillis()))
                .setPrincipal(command.principal())
                .setCommand(command.command())
                .setSubject(command.subject())
                .setResult(command.result())
                .build();
    }
}
