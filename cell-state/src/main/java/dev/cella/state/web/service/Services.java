package dev.cella.state.web.service;

import dev.cella.client.access.Tls;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.replay.WindowReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** The table of all unary calls. */
public final class Services {
    private Services() {}

    /**
     * All calls, on a replica.
     *
     * @param directory where the replica stores the members
     * @param tls for calls to other replicas
     * @param reports the store of schedulers' reports
     * @param usage the store of what attempts take
     * @param waits the store of the machines' wait-time matrices
     * @param disagreements the count of placed attempts that agents refused
     * @param tasksVisited counts the tasks that lists look at
     * @param replay decides a window of the past again, if the process has a simulator
     * @param specificationBytesMax how many bytes of jobs' specifications there is room for
     * @param address where this server answers, once it does
     */
    public static List<UnaryMethod<?, ?>> of(
            Replica replica,
            Time time,
            DataDirectory directory,
            Optional<Tls> tls,
            SchedulerReports reports,
            UsageFacts usage,
            WaitFacts waits,
            Disagreements disagreements,
            LongAdder tasksVisited,
            Optional<WindowReplay> replay,
            long specificationBytesMax,
            Supplier<String> address) {
        Reads reads = new Reads(replica);
        Commands commands = new Commands(replica);
        KeptPages pages = new KeptPages();
        FeatureLevels levels = new FeatureLevels(replica::membership, tls);
        KnownDimensions dimensions = new KnownDimensions(replica, commands, levels);
        SpecificationRoom room = new SpecificationRoom(replica, specificationBytesMax, directory::isNearlyFull);
        RestoreTurns turns = new RestoreTurns();
        List<UnaryMethod<?, ?>> methods = new ArrayList<>();
        methods.addAll(new CellService(replica, reads, usage, address).methods());
        methods.addAll(new MemberService(replica, directory, address, tls).methods());
        methods.addAll(new LevelService(replica, commands, levels).methods());
        methods.addAll(new MachineService(replica, reads, commands, pages, dimensions, usage, waits, turns).methods());
        methods.addAll(new JobService(replica, reads, commands, pages, levels, reports, usage, room).methods());
        methods.addAll(new TaskService(replica, reads, commands, pages, time, usage, tasksVisited).methods());
        methods.addAll(new TransactionService(replica, commands, levels).methods());
        methods.addAll(new SchedulerService(replica, reads, commands, pages, reports, waits, levels).methods());
        methods.addAll(new RightsService(replica, reads, commands, levels).methods());
        methods.addAll(new FederationService(reads, reports).methods());
        methods.addAll(new OfferService(reads, commands, pages).methods());
        methods.addAll(new PoolService(replica, reads, commands, pages, levels).methods());
        methods.addAll(new ExplainService(replica, reads, reports).methods());
        methods.addAll(new ConflictService(replica, reads, reports, time).methods());
        methods.addAll(new WhatIfService(replica, reads, reports, time, replay).methods());
        methods.addAll(new HistoryService(replica, reads, time).methods());
        methods.addAll(new TokenService(replica, commands, levels, time).methods());
        methods.addAll(new AgentService(replica, commands, dimensions, usage, waits, disagreements, turns).methods());
        Absence absence = new Absence(replica);
        return methods.stream().<UnaryMethod<?, ?>>map(absence::confirmed).toList();
    }
}
