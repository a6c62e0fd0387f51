package dev.cella.state.web.service;

import dev.cella.state.core.Membership;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.web.http.UnaryMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The table of all unary calls. */
public final class Services {
    private Services() {}

    /**
     * All calls, on a replica.
     *
     * @param reports where what schedulers say of themselves is kept
     * @param address where this server answers, once it does
     */
    public static List<UnaryMethod<?, ?>> of(
            Replica replica, Time time, Membership membership, SchedulerReports reports, Supplier<String> address) {
        Reads reads = new Reads(replica);
        Commands commands = new Commands(replica);
        Pages pages = new Pages();
        FeatureLevels levels = new FeatureLevels(membership);
        List<UnaryMethod<?, ?>> methods = new ArrayList<>();
        methods.addAll(new CellService(replica, reads, membership, address).methods());
        methods.addAll(new MachineService(replica, reads, commands, pages, levels).methods());
        methods.addAll(new JobService(replica, reads, commands, pages, levels).methods());
        methods.addAll(new TaskService(replica, reads, commands, pages, time).methods());
        methods.addAll(new TransactionService(replica, commands).methods());
        methods.addAll(new SchedulerService(replica, reads, commands, pages, reports).methods());
        methods.addAll(new ExplainService(replica, reads, reports).methods());
        methods.addAll(new ConflictService(replica, reads, reports, time).methods());
        methods.addAll(new AgentService(replica, commands).methods());
        return List.copyOf(methods);
    }
}
