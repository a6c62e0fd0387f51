package dev.cella.scheduler.service.offers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A round over a cell in which everything is free: each machine is offered once, and the frameworks get equally many. */
class OffersRoundTest {
    private static final int MACHINES = 200;
    private static final int FRAMEWORKS = 20;

    private final Cell cell = new Cell(CellLimits.STANDARD);

    @Test
    void everyMachineIsOfferedOnce_toEachFrameworkItsShare() {
        apply(new Command.FoundCell(new CellName("rate"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        for (int machine = 0; machine < MACHINES; machine++) {
            apply(new Command.PutMachine(
                    "m" + machine, Amounts.of(8_000, 32_768), new TreeMap<>(), Optional.empty(), false));
        }
        for (int framework = 0; framework < FRAMEWORKS; framework++) {
            open("f" + framework, Optional.of(new Participation("r" + framework % 20, 1, Amounts.NONE)));
        }
        SessionId session = open("offers", Optional.empty());
        plan(session).proposals().forEach(proposal -> apply(new Command.CommitTransaction(proposal.transaction())));
        assertThat(cell.view().offers()).hasSize(MACHINES);
        cell.view().sessions().stream()
                .filter(each -> each.offers().isPresent())
                .forEach(each -> assertThat(cell.view().offersTo(each.id())).hasSize(MACHINES / FRAMEWORKS));
    }

    private SessionId open(String scheduler, Optional<Participation> offers) {
        CommandResult opened =
                apply(new Command.OpenSession(scheduler, "one", "test", 60_000, Optional.empty(), offers));
        return new SessionId(((CommandResult.Done) opened).identity());
    }

    private Plan<OffersMemory> plan(SessionId session) {
        Draft draft = cell.view().draft();
        draft.clear();
        PlanningView view = new PlanningView(
                cell.view(),
                draft,
                new TaskSet(),
                new TransactionStamp("offers", session, 1, 10_000),
                Surroundings.of(cell.view()));
        OffersScheduler scheduler = new OffersScheduler(
                AllocationPolicy.DRF, new Rounds(Duration.ofSeconds(1), Duration.ZERO), 50, 30_000, 0);
        PlanContext<OffersMemory> context =
                new PlanContext<>(new CellTime(1_000), 7, OffersMemory.NOTHING, Observations.NONE);
        return Planning.plan(scheduler, List.of(view), new Work(List.of(), List.of()), context);
    }

    private CommandResult apply(Command command) {
        EntryHeader header = new EntryHeader(
                Math.max(1, cell.view().featureLevel()),
                new CellTime(1_000),
                1_000,
                cell.view().incarnation());
        CommandResult result = cell.apply(header, command);
        cell.takeChanges();
        return result;
    }
}
