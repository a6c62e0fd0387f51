package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.proto.GetPoolRequest;
import dev.cella.client.proto.ListPoolsRequest;
import dev.cella.client.proto.Pool;
import dev.cella.client.proto.PoolList;
import dev.cella.client.proto.PoolOrder;
import dev.cella.client.proto.PoolRemoved;
import dev.cella.client.proto.PoolServiceGrpc;
import dev.cella.client.proto.PutPoolRequest;
import dev.cella.client.proto.RemovePoolRequest;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.PoolRows;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.PoolPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The calls about pools: their limits, which the commit enforces, and their weights and minima, which schedulers use for
 * planning.
 */
final class PoolService {
    private final Replica replica;
    private final Reads reads;
    private final Commands commands;
    private final KeptPages pages;
    private final FeatureLevels levels;

    PoolService(Replica replica, Reads reads, Commands commands, KeptPages pages, FeatureLevels levels) {
        this.replica = replica;
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
        this.levels = levels;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(PoolServiceGrpc.getListPoolsMethod(), this::list),
                new UnaryMethod<>(PoolServiceGrpc.getGetPoolMethod(), this::get),
                new UnaryMethod<>(PoolServiceGrpc.getPutPoolMethod(), this::put),
                new UnaryMethod<>(PoolServiceGrpc.getRemovePoolMethod(), this::remove));
    }

    private CompletableFuture<Answer<PoolList>> list(ListPoolsRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        if (request.hasPageToken()) {
            return CompletableFuture.completedFuture(answer(pages.next(request, request.getPageToken(), limit)));
        }
        return reads.read(Freshness.of(request), PoolService::listing)
                .thenApply(list -> answer(pages.first(request, list, limit)));
    }

    /** Every change of the cell may change the use of pools. */
    private static Shown<Listing<Pool>> listing(CellView view) {
        Listing<Pool> listing = new Listing<>();
        PoolRows.all(view).forEach(pool -> listing.add(() -> pool));
        return Shown.of(view, listing, view.version().number());
    }

    private static Answer<PoolList> answer(KeptPages.Page<Pool> page) {
        PoolList.Builder list = PoolList.newBuilder().setVersion(page.version()).addAllPools(page.rows());
        page.next().ifPresent(list::setNextPageToken);
        return Answer.ok(list.build());
    }

    private CompletableFuture<Answer<Pool>> get(GetPoolRequest request) {
        return reads.read(Freshness.of(request), view -> find(view, request.getName()))
                .thenApply(found -> Answer.ok(found.value().orElseThrow(() -> unknown(request.getName()))));
    }

    private static Shown<Optional<Pool>> find(CellView view, String path) {
        return Shown.of(view, PoolRows.find(view, path), view.version().number());
    }

    private static Problem unknown(String path) {
        return Problem.notFound("There is no pool " + path + ": nobody defined it, and no job is in it")
                .withHint("cella pool list, or GET /v1/pools, lists those there are");
    }

    private CompletableFuture<Answer<Pool>> put(PutPoolRequest request) {
        Command command = replica.read(view -> command(view, request));
        return levels.need(EntryCodec.POLICY_LEVEL, replica, commands)
                .thenCompose(raised -> commands.done(Lane.OPERATORS, command))
                .thenCompose(
                        done -> reads.read(Freshness.atLeast(done.version()), view -> find(view, request.getName())))
                .thenApply(found -> Answer.ok(found.value().orElseThrow(() -> unknown(request.getName()))));
    }

    private static Command command(CellView view, PutPoolRequest request) {
        int weight = request.hasWeight() ? request.getWeight() : PoolPolicy.DEFAULT.weight();
        if (weight < 1 || weight > PoolPolicy.WEIGHT_MAX) {
            throw Requests.bad("weight", "must be from 1 to " + PoolPolicy.WEIGHT_MAX + ", is " + weight);
        }
        Amounts minimum = Requests.amounts("minimum", view.dimensions(), request.getMinimumMap());
        Limits limits = limits(view, request.getLimitMap());
        checkBelow(view, minimum, limits);
        return Requests.checked(
                "minimum",
                () -> new Command.DefinePool(
                        request.getName(),
                        new PoolPolicy(
                                weight,
                                minimum,
                                limits,
                                request.getOrder() == PoolOrder.POOL_ORDER_FIFO
                                        ? PoolPolicy.Order.FIFO
                                        : PoolPolicy.Order.FAIR,
                                millis("minimumTimeout", request.hasMinimumTimeout(), request.getMinimumTimeout()),
                                millis("fairTimeout", request.hasFairTimeout(), request.getFairTimeout()))));
    }

    private static void checkBelow(CellView view, Amounts minimum, Limits limits) {
        for (int place = 0; place < minimum.size(); place++) {
            if (minimum.at(place) > limits.at(place)) {
                throw Requests.bad(
                        "minimum." + view.dimensions().nameAt(place),
                        "must not be above its limit of " + limits.at(place) + ", is " + minimum.at(place));
            }
        }
    }

    /** A dimension that is not named has no limit; 0 is a limit. */
    private static Limits limits(CellView view, Map<String, Long> named) {
        Amounts said = Requests.amounts("limit", view.dimensions(), named);
        long[] limits = new long[view.dimensions().size()];
        Arrays.setAll(
                limits,
                place -> named.containsKey(view.dimensions().nameAt(place)) ? said.at(place) : Limits.UNLIMITED);
        return Limits.of(limits);
    }

    private static long millis(String path, boolean said, com.google.protobuf.Duration duration) {
        long millis = said ? Durations.toMillis(duration) : 0;
        if (said && millis < 1) {
            throw Requests.bad(path, "must be at least 1ms; leave it out for never");
        }
        return millis;
    }

    private CompletableFuture<Answer<PoolRemoved>> remove(RemovePoolRequest request) {
        return commands.done(Lane.OPERATORS, Requests.checked("name", () -> new Command.RemovePool(request.getName())))
                .thenApply(done -> Answer.ok(PoolRemoved.newBuilder()
                        .setName(request.getName())
                        .setVersion(done.version().number())
                        .build()));
    }
}
