package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.client.proto.Level;
import dev.cella.client.proto.MemberServiceGrpc;
import dev.cella.client.proto.RaiseLevelRequest;
import dev.cella.client.proto.ReplicaLevel;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.EntryCodec;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/** The calls about the cell's feature level. */
final class LevelService {
    private final Replica replica;
    private final Commands commands;
    private final FeatureLevels levels;

    LevelService(Replica replica, Commands commands, FeatureLevels levels) {
        this.replica = replica;
        this.commands = commands;
        this.levels = levels;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(MemberServiceGrpc.getGetLevelMethod(), request -> level()),
                new UnaryMethod<>(MemberServiceGrpc.getRaiseLevelMethod(), this::raise));
    }

    private CompletableFuture<Answer<Level>> level() {
        return levels.known().thenApply(known -> Answer.ok(message(known)));
    }

    private Level message(SortedMap<String, Optional<Integer>> known) {
        Level.Builder level = Level.newBuilder().setLevel(replica.read(CellView::featureLevel));
        known.forEach((name, newest) -> {
            ReplicaLevel.Builder one = ReplicaLevel.newBuilder().setName(name);
            newest.ifPresent(one::setKnows);
            level.addReplicas(one);
        });
        return level.build();
    }

    private CompletableFuture<Answer<Level>> raise(RaiseLevelRequest request) {
        int now = replica.read(CellView::featureLevel);
        if (request.getLevel() < now) {
            throw Problem.conflict("The cell is at feature level %d, and nothing lowers it".formatted(now))
                    .withHint("restore a backup from before it was raised: it has the level that the cell had then");
        }
        if (request.getLevel() > EntryCodec.FEATURE_LEVEL_MAX) {
            throw Problem.badRequest(
                            "the newest feature level that this program knows is " + EntryCodec.FEATURE_LEVEL_MAX)
                    .withHint("bring every replica to a newer program first");
        }
        return levels.need(request.getLevel(), replica, commands).thenCompose(raised -> level());
    }
}
