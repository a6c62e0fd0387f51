package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.SessionId;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KnownRoomTest {
    private static final int PORT = 3;

    private final TestCell cell = new TestCell();
    private final KnownRoom room = new KnownRoom(new OwnOffers(new SessionId(1), cell.view()));

    @Test
    void machineWithOtherFreeMembers_grew_evenIfItHasNoMoreOfThem() {
        cell.apply(new Command.RaiseFeatureLevel(EntryCodec.SETS_LEVEL));
        cell.apply(new Command.AddDimension(new Dimension("port", Dimension.Kind.SET)));
        assertThat(growsWithPorts("8000-8001")).isTrue();
        assertThat(growsWithPorts("8000-8001")).isFalse();
        assertThat(growsWithPorts("8001-8002")).isTrue();
        assertThat(growsWithPorts("8002")).isFalse();
    }

    @Test
    void otherMachineInTheSlot_grew_evenIfItHasNoMoreThanTheRemovedOne() {
        cell.putMachine("old", 2_000);
        assertThat(room.grew(0, cell.view())).isTrue();
        cell.changeMachine("old", Command.MachineChange.REMOVE);
        cell.putMachine("new", 1_000);
        assertThat(cell.view().findMachine("new")).hasValue(0);
        assertThat(room.grew(0, cell.view())).isTrue();
        assertThat(room.grew(0, cell.view())).isFalse();
    }

    private boolean growsWithPorts(String ports) {
        MemberSet members = MemberSet.parse(ports);
        Amounts capacity = Amounts.of(1_000, 1_000, 0, members.size()).naming(Members.NONE.with(PORT, members));
        cell.apply(new Command.PutMachine("m0", capacity, new TreeMap<>(), Optional.empty(), false));
        return room.grew(0, cell.view());
    }
}
