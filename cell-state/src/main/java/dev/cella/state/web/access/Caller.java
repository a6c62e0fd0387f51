package dev.cella.state.web.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.transactions.model.Labels;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Token;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The caller of a request and its permissions, as the gate found them. A request carries its caller from the gate to the
 * handler.
 *
 * @param principal the name in the log for the caller's commands
 * @param pools that jobs may be submitted to, with all below them; all if empty
 */
public record Caller(Principal principal, List<Scope> scopes, Collection<String> pools) {
    /** Every caller of an open server. */
    public static final Caller ANYONE = new Caller(new Principal("anyone"), List.of(Scope.ALL), List.of());

    /** A caller without a token, for requests that need none: whether the server is alive, the login page. */
    public static final Caller NOBODY = new Caller(new Principal("nobody"), List.of(), List.of());

    private static final AttributeKey<Caller> KEY = AttributeKey.valueOf(Caller.class, "CALLER");

    public Caller {
        scopes = List.copyOf(scopes);
        pools = List.copyOf(pools);
    }

    /** Scopes that this program does not know allow nothing. */
    public static Caller of(Token token) {
        List<Scope> scopes = new ArrayList<>();
        token.scopes().forEach(word -> Scope.parse(word).ifPresent(scopes::add));
        return new Caller(new Principal(token.name()), scopes, token.pools());
    }

    /** Attaches this caller to the request. */
    public void enter(ServiceRequestContext context) {
        context.setAttr(KEY, this);
    }

    public static Caller of(ServiceRequestContext context) {
        Caller caller = context.attr(KEY);
        return caller == null ? NOBODY : caller;
    }

    /**
     * The caller of the request that this thread handles. A handler that continues on another thread keeps the request with
     * {@link #carry}.
     */
    public static Caller current() {
        ServiceRequestContext context = ServiceRequestContext.currentOrNull();
        return context == null ? NOBODY : of(context);
    }

    /** Continues the future within the request of the calling code. */
    public static <T> CompletableFuture<T> carry(CompletableFuture<T> future) {
        ServiceRequestContext context = ServiceRequestContext.currentOrNull();
        return context == null ? future : context.makeContextAware(future);
    }

    // ---- what it may do

    private boolean has(Scope.Kind kind) {
        return scopes.stream().anyMatch(scope -> scope.kind() == kind);
    }

    private boolean has(Scope.Kind kind, String name) {
        return mayOperate() || scopes.stream().anyMatch(scope -> scope.isFor(kind, name));
    }

    public boolean mayOperate() {
        return has(Scope.Kind.OPERATE);
    }

    /**
     * Schedulers need everything for planning, and clients that submit jobs look at the results. An agent sees its own
     * machines.
     */
    public boolean mayRead() {
        return mayOperate() || has(Scope.Kind.READ) || has(Scope.Kind.SUBMIT) || has(Scope.Kind.SCHEDULE);
    }

    public boolean maySchedule(String scheduler) {
        return has(Scope.Kind.SCHEDULE, scheduler);
    }

    private boolean mayBeSomeScheduler() {
        return mayOperate() || has(Scope.Kind.SCHEDULE);
    }

    public boolean mayRun(String machine) {
        return has(Scope.Kind.MACHINE, machine);
    }

    public boolean mayRunSomeMachine() {
        return mayOperate() || has(Scope.Kind.MACHINE);
    }

    public boolean maySubmitTo(String pool) {
        boolean mayUsePool = pools.isEmpty() || pools.stream().anyMatch(root -> Labels.isPoolWithin(pool, root));
        return mayOperate() || (has(Scope.Kind.SUBMIT) && mayUsePool);
    }

    // ---- refusing

    public void mustOperate() {
        must(mayOperate(), "operate", "change how the cell is run");
    }

    public void mustRead() {
        must(mayRead(), "read", "see the cell");
    }

    public void mustSchedule(String scheduler) {
        must(maySchedule(scheduler), "schedule:" + scheduler, "act as scheduler " + scheduler);
    }

    public void mustBeSomeScheduler() {
        must(mayBeSomeScheduler(), "schedule:NAME", "act as a scheduler");
    }

    public void mustRun(String machine) {
        must(mayRun(machine), "machine:" + machine, "speak for machine " + machine);
    }

    public void mustRunSomeMachine() {
        must(mayRunSomeMachine(), "machine:NAME", "speak for a machine");
    }

    public void mustSubmitTo(String pool) {
        must(maySubmitTo(pool), "submit", "change jobs of pool " + pool);
    }

    private void must(boolean may, String scope, String what) {
        if (!may) {
            throw Problem.forbidden("The token " + principal + " may not " + what)
                    .withHint("that takes the scope " + scope
                            + "; an operator makes such a token with cella token create");
        }
    }
}
