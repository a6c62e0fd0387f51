package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlannedCell.Attempt;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Restart;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A machine has each port once, so it takes one task of a group that names a port. */
class NamedMembersTest {
    private static final int PORT = 3;
    private static final JobPlanner FIRST_FIT = new TaskByTask(Choice.FIRST_FIT);

    private final PlannedCell cell = new PlannedCell();

    NamedMembersTest() {
        cell.apply(new Command.RaiseFeatureLevel(EntryCodec.SETS_LEVEL));
        cell.apply(new Command.AddDimension(new Dimension("port", Dimension.Kind.SET)));
    }

    @Test
    void together_isWhereEachTaskHasAMachine() {
        machine("m0", "r1");
        machine("m1", "r2");
        machine("m2", "r2");
        machine("m3", "r2");
        GroupHeader group = new GroupHeader("main", 3, ports(Amounts.of(100, 100, 0, 1), "8000"), Restart.BATCH);
        for (long seed = 0; seed < 20; seed++) {
            Attempt attempt = cell.plan(FIRST_FIT, cell.job(group, GroupPlacement.ANYWHERE.together("rack")), seed);
            assertThat(attempt.by("rack")).isEqualTo(Map.of("r2", 3));
        }
    }

    private void machine(String name, String rack) {
        cell.apply(new Command.PutMachine(
                name,
                ports(Amounts.of(4_000, 8_192, 1_000, 1_000), "8000-8999"),
                new TreeMap<>(Map.of("rack", rack)),
                Optional.empty(),
                false));
        cell.surroundings().index().look(cell.view().findMachine(name).orElseThrow());
    }

    private static Amounts ports(Amounts amounts, String ports) {
        return amounts.naming(Members.NONE.with(PORT, MemberSet.parse(ports)));
    }
}
