package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The words of a loop about the offers to its session. */
class OfferRepliesTest {
    private static final String FRAMEWORK = "takes";
    private static final Musts NO_MUSTS = new Musts(List.of());

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final SessionId session;
    private final LoopCell loopCell;
    private long now = 1_000;

    OfferRepliesTest() {
        apply(new Command.FoundCell(new CellName("offers"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        apply(new Command.PutMachine("m", Amounts.of(4_000, 4_000), new TreeMap<>(), Optional.empty(), false));
        session = open("one");
        loopCell = new LoopCell(
                0,
                new LoopSeat(session, cell.view(), Placements.ANYWHERE),
                LoopOptions.of(FRAMEWORK, session, 1),
                Agenda.inOrder(QueueOrder.PRIORITY));
    }

    private SessionId open(String instance) {
        Participation part = new Participation("role", 1, Amounts.NONE);
        CommandResult opened = apply(
                new Command.OpenSession(FRAMEWORK, instance, "test", 10_000, Optional.empty(), Optional.of(part)));
        return new SessionId(((CommandResult.Done) opened).identity());
    }

    private OfferId offer() {
        apply(new Command.CommitTransaction(Transaction.builder(new TransactionId("o" + now++), "allocator")
                .incarnation(cell.view().incarnation())
                .hold(HoldRequest.offer(session, 0, Amounts.of(1_000, 1_000), 60_000))
                .build()));
        return cell.view().offersTo(session).stream()
                .map(HoldRow::offer)
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    private CommandResult apply(Command command) {
        int level = Math.max(1, cell.view().featureLevel());
        CommandResult result = cell.apply(
                new EntryHeader(level, new CellTime(now), now, cell.view().incarnation()), command);
        cell.takeChanges();
        return result;
    }

    private List<Action<Object>> next(boolean works, boolean decides) {
        loopCell.offers.look(cell.view());
        return loopCell.replies.next(works, decides, new CellTime(now));
    }

    private static Action<Object> decline(OfferId offer) {
        return new Action.Decline<>(0, offer, 5_000);
    }

    private static Action<Object> wants(boolean wanted) {
        return new Action.WantOffers<>(0, wanted);
    }

    @Test
    void offerThatNobodyCanUse_isGivenBackOnce_andAgainIfTheViewStillHasIt() {
        OfferId offer = offer();
        assertThat(next(true, true)).as("a plan may use it").isEmpty();
        assertThat(next(true, false)).containsExactly(decline(offer));
        assertThat(next(true, false)).isEmpty();
        assertThat(loopCell.replies.lookAgainAt()).contains(new CellTime(now + 5_000));
        now += 5_000;
        assertThat(next(true, false)).containsExactly(decline(offer));
        apply(new Command.EndOffer(offer, 5_000));
        now += 5_000;
        assertThat(next(true, false)).isEmpty();
        assertThat(loopCell.replies.lookAgainAt()).isEmpty();
    }

    @Test
    void withoutWork_noOffersAreWanted_andWithWorkTheyAre() {
        assertThat(next(false, false)).containsExactly(wants(false));
        assertThat(next(false, false)).as("it was said").isEmpty();
        apply(new Command.WantOffers(FRAMEWORK, false));
        assertThat(next(false, false)).isEmpty();
        assertThat(next(true, false)).containsExactly(wants(true));
        apply(new Command.WantOffers(FRAMEWORK, true));
        assertThat(next(true, false)).isEmpty();
    }

    @Test
    void newWork_revivesRefusedMachines() {
        OfferId offer = offer();
        apply(new Command.EndOffer(offer, 5_000));
        assertThat(next(true, true)).isEmpty();
        loopCell.newWork();
        assertThat(next(true, true)).containsExactly(wants(true));
    }

    @Test
    void oneOfSeveralInstances_doesNotSpeakForTheOthers() {
        open("two");
        assertThat(next(false, false)).isEmpty();
    }

    @Test
    void offeredAmounts_areTheRoomOfTheSession() {
        offer();
        loopCell.offers.look(cell.view());
        loopCell.working.moved();
        assertThat(loopCell.offers.on(cell.view(), 0)).isEqualTo(Amounts.of(1_000, 1_000));
        assertThat(loopCell.working.fits(0, Amounts.of(1_000, 1_000), NO_MUSTS)).isTrue();
        assertThat(loopCell.working.fits(0, Amounts.of(1_001), NO_MUSTS)).isFalse();
    }
}
