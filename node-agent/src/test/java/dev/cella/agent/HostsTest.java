package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.RunSettings;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How a task learns that its peer has moved. */
class HostsTest {
    private static final Incarnation INCARNATION = new Incarnation(0xCE11A);
    private static final int PORTS = 3;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final Hosts hosts = new Hosts(Set.of("m-1", "m-4"));
    private final List<String> told = new ArrayList<>();
    private final JobId job;

    HostsTest() {
        apply(
                new Command.FoundCell(new CellName("test"), INCARNATION, EntryCodec.FEATURE_LEVEL_MAX),
                Incarnation.UNSAID);
        apply(new Command.AddDimension(new Dimension("ports", Dimension.Kind.SET)));
        registerAt("m-1", "http://10.0.0.1:7075", "20000", Map.of("hostname", "host-1"));
        JobHeader header = new JobHeader(
                "job",
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", 2, Amounts.of(100, 10, 0, 1), Restart.BATCH)));
        job = new JobId(apply(new Command.SubmitJob(header, Specification.of(new byte[1]), Command.SubmitMode.CREATE)));
        place(0, "m-1");
    }

    private long apply(Command command) {
        return apply(command, INCARNATION);
    }

    /** The version of what the command has made, or 0. */
    private long apply(Command command, Incarnation incarnation) {
        CommandResult result = cell.apply(new EntryHeader(1, new CellTime(0), 1, incarnation), command);
        return result instanceof CommandResult.Done done ? done.identity() : 0;
    }

    private void register(String machine, String host, String ports) {
        registerAt(machine, "http://" + host + ":7075", ports);
    }

    private void registerAt(String machine, String address, String ports) {
        registerAt(machine, address, ports, Map.of());
    }

    private void registerAt(String machine, String address, String ports, Map<String, String> attributes) {
        Amounts capacity = Amounts.of(1_000, 1_000, 0, 1).naming(Members.NONE.with(PORTS, MemberSet.parse(ports)));
        apply(new Command.PutMachine(
                machine,
                capacity,
                new TreeMap<>(attributes),
                Optional.of(new AgentIdentity(address + ports, address, 10_000)),
                false));
    }

    private void place(int index, String machine) {
        int slot = cell.view().findMachine(machine).orElseThrow();
        commit(transaction().claim(new TaskId(job, 0, index), 1, slot));
    }

    private Transaction.Builder transaction() {
        return Transaction.builder(new TransactionId("t" + cell.view().version().number()), "batch")
                .incarnation(INCARNATION)
                .basis(cell.view().version());
    }

    private void commit(Transaction.Builder transaction) {
        apply(new Command.CommitTransaction(transaction.build()));
    }

    /** The peer may be placed again. */
    private void losePeerWith(String machine) {
        apply(new Command.LoseMachine(cell.view().machine(machine).orElseThrow().id()));
        commit(transaction().step(new Step(Step.Kind.AGAIN, new TaskId(job, 0, 1), 1)));
    }

    private void follow() {
        RunSettings plain = RunSettings.PLAIN;
        RunSettings settings = new RunSettings(
                plain.user(),
                plain.stopSignal(),
                0,
                plain.isolation(),
                plain.image(),
                plain.resources(),
                Map.of("http", 0L),
                plain.check(),
                false,
                false,
                false,
                false,
                true);
        GroupRun run = new GroupRun("job", "main", List.of("true"), Map.of(), Optional.empty(), 0, settings);
        Assignment assignment = new Assignment(new PlacementId(1, 0), new TaskId(job, 0, 0), 1, 1);
        hosts.add("m-1", new Launch(assignment, run), new Listening(), cell.view());
    }

    private String toldNext() {
        told.clear();
        hosts.moved(job, cell.view());
        assertThat(told).hasSizeLessThanOrEqualTo(1);
        return String.join("", told);
    }

    @Test
    void peerOnAnotherMachine_hasAnotherLine() {
        register("m-2", "10.0.0.2", "20002");
        register("m-3", "10.0.0.3", "20003");
        place(1, "m-2");
        follow();
        assertThat(told).containsExactly("0 10.0.0.1 m-1 http=20000\n1 10.0.0.2 m-2 http=20002\n");

        losePeerWith("m-2");
        assertThat(toldNext()).isEqualTo("0 10.0.0.1 m-1 http=20000\n");
        place(1, "m-3");
        assertThat(toldNext()).isEqualTo("0 10.0.0.1 m-1 http=20000\n1 10.0.0.3 m-3 http=20003\n");
    }

    @Test
    void peerOnAnotherPort_hasAnotherLine() {
        register("m-2", "10.0.0.2", "20002");
        place(1, "m-2");
        follow();
        losePeerWith("m-2");
        register("m-2", "10.0.0.2", "30000");
        place(1, "m-2");
        assertThat(toldNext()).isEqualTo("0 10.0.0.1 m-1 http=20000\n1 10.0.0.2 m-2 http=30000\n");
    }

    /** One agent's address must not end the others. */
    @Test
    void peerWhoseAgentHasNoAddress_isNamedByItsMachine() {
        registerAt("m-2", "10.0.0.2:7075", "20002");
        place(1, "m-2");
        follow();
        assertThat(told).containsExactly("0 10.0.0.1 m-1 http=20000\n1 m-2 m-2 http=20002\n");
    }

    @Test
    void peerOnAnotherHost_isNotAtLoopback() {
        registerAt("m-2", "http://127.0.0.1:7075", "20002", Map.of("hostname", "host-2"));
        place(1, "m-2");
        follow();
        assertThat(told).containsExactly("0 10.0.0.1 m-1 http=20000\n1 host-2 m-2 http=20002\n");
    }

    @Test
    void peerOnAnotherHost_whoseNameIsNotKnown_isNamedByItsMachine() {
        registerAt("m-2", "http://127.0.0.1:7075", "20002");
        place(1, "m-2");
        follow();
        assertThat(told).containsExactly("0 10.0.0.1 m-1 http=20000\n1 m-2 m-2 http=20002\n");
    }

    /** Two agents on one host, one of them without an address for other hosts. */
    @Test
    void peerOnTheSameHost_isAtLoopback() {
        registerAt("m-2", "http://127.0.0.1:7075", "20002", Map.of("hostname", "host-1"));
        place(1, "m-2");
        follow();
        assertThat(told).containsExactly("0 10.0.0.1 m-1 http=20000\n1 127.0.0.1 m-2 http=20002\n");
    }

    /** Such as hollow machines, which have no host name. */
    @Test
    void peerOnAMachineOfTheSameAgent_isAtLoopback() {
        registerAt("m-4", "http://127.0.0.1:7075", "20004");
        place(1, "m-4");
        follow();
        assertThat(told).containsExactly("0 10.0.0.1 m-1 http=20000\n1 127.0.0.1 m-4 http=20004\n");
    }

    @Test
    void peersThatStay_areNotToldAgain() {
        follow();
        assertThat(toldNext()).isEmpty();
    }

    @Test
    void attemptThatIsGone_isToldNothing() {
        register("m-2", "10.0.0.2", "20002");
        follow();
        hosts.remove(new PlacementId(1, 0));
        place(1, "m-2");
        assertThat(toldNext()).isEmpty();
    }

    private final class Listening implements TaskRunner {
        @Override
        public void hosts(PlacementId placement, String lines) {
            told.add(lines);
        }

        @Override
        public void start(String machine, Launch launch, Listener listener) {}

        @Override
        public void terminate(PlacementId placement) {}

        @Override
        public void kill(PlacementId placement) {}

        @Override
        public void close() {}
    }
}
