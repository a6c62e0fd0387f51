package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.core.Founding.Begin;
import dev.cella.state.core.Founding.Refuse;
import dev.cella.state.core.Founding.Wait;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.model.CellName;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FoundingTest {
    private static final CellName CELL = new CellName("three");
    private static final List<Member> MEMBERS = List.of(member("r1", 1), member("r2", 2), member("r3", 3));

    private final DirectoryIdentity first = empty();
    private final DirectoryIdentity second = empty();
    private final DirectoryIdentity third = empty();

    @Test
    void oneHasNotAnswered_isWaitedFor() {
        Founding.Step step = next("r1", first, Map.of("r2", second));
        assertThat(((Wait) step).until()).contains("r3");
    }

    @Test
    void allAreEmpty_eachBeginsTheSameCell() {
        DirectoryIdentity founded = begun(next("r1", first, Map.of("r2", second, "r3", third)));
        DirectoryIdentity other = begun(next("r2", second, Map.of("r1", first, "r3", third)));
        assertThat(founded.cellId()).isEqualTo(other.cellId()).isNotEqualTo(first.cellId());
        assertThat(founded.members()).isEqualTo(other.members()).containsOnlyKeys("r1", "r2", "r3");
        assertThat(founded.replica()).isEqualTo("r1");
        assertThat(founded.directory()).isEqualTo(first.directory());
    }

    @Test
    void anotherHasBegunWithThisDirectory_itIsJoined_thoughSomeAreSilent() {
        DirectoryIdentity founded = begun(next("r1", first, Map.of("r2", second, "r3", third)));
        assertThat(begun(next("r3", third, Map.of("r1", founded))).cellId()).isEqualTo(founded.cellId());
    }

    /** A replica that learns the level too late must not found the cell at an older one than the others. */
    @Test
    void allAreEmpty_theCellIsFoundedAtTheOldestLevelThatTheyTell_alsoByOneThatComesLate() {
        DirectoryIdentity newest = first.knowing(9);
        DirectoryIdentity founded = begun(next("r1", newest, Map.of("r2", second.knowing(7), "r3", third.knowing(8))));
        assertThat(founded.level()).isEqualTo(7);
        assertThat(begun(next("r3", third.knowing(8), Map.of("r1", founded))).level())
                .isEqualTo(7);
        assertThat(begun(next("r1", newest, Map.of("r2", second, "r3", third.knowing(8))))
                        .level())
                .as("one does not tell its level")
                .isEqualTo(1);
    }

    /** It might vote for a leader that lacks entries which its lost directory had acknowledged. */
    @Test
    void anotherHasBegunWithAnotherDirectoryOfThisReplica_itWaitsUntilItReplacesIt() {
        DirectoryIdentity founded = begun(next("r1", first, Map.of("r2", second, "r3", third)));
        DirectoryIdentity lost = empty();
        Wait wait = (Wait) next("r3", lost, Map.of("r1", founded, "r2", second));
        assertThat(wait.until()).contains("another directory", "cella cell replace r3");

        LogPeer taken = new LogPeer(LogPeer.idOfJoiner("r3", lost.directory()), "127.0.0.1:1", "http://127.0.0.1:2");
        DirectoryIdentity joined = begun(next("r3", lost, Map.of("r1", founded.withPeers(List.of(taken)))));

        assertThat(joined.cellId()).isEqualTo(founded.cellId());
        assertThat(joined.peerId("r3")).isEqualTo(taken.id()).startsWith("r3@");
        assertThat(founded.peerId("r1")).isEqualTo("r1");
    }

    @Test
    void anotherHasBegunWithoutThisReplica_itWaitsUntilItIsAdded() {
        DirectoryIdentity alone = empty().withLog();
        Wait wait = (Wait) next("r2", second, Map.of("r1", alone));
        assertThat(wait.until()).contains("no replica r2", "cella cell add r2");
    }

    @Test
    void twoEmptyReplicas_areRefused() {
        Refuse refused =
                (Refuse) Founding.next(first, new Membership("r1", MEMBERS.subList(0, 2)), Map.of("r2", second));
        assertThat(refused.why()).hasMessageContaining("1, 3 or 5 replicas, not by 2");
    }

    @Test
    void anotherCellAtAnAddress_isRefused() {
        DirectoryIdentity stranger = DirectoryIdentity.ofNew(new CellName("other"), UUID.randomUUID());
        Refuse refused = (Refuse) next("r1", first, Map.of("r2", stranger));
        assertThat(refused.why().why()).isEqualTo(Why.OTHER_CELL);
    }

    @Test
    void identity_isReadAsWritten_alsoThatOfAnEarlierRelease() {
        DirectoryIdentity founded = begun(next("r1", first, Map.of("r2", second, "r3", third)));
        assertThat(DirectoryIdentity.parse(founded.toText())).isEqualTo(founded);
        assertThat(DirectoryIdentity.parse(first.withLog().toText())).isEqualTo(first.withLog());
        UUID id = UUID.randomUUID();
        assertThat(DirectoryIdentity.parse("format=1\ncell=three\nid=" + id + "\nlog=true\n"))
                .isEqualTo(DirectoryIdentity.ofNew(CELL, id).withLog());
    }

    private static Founding.Step next(String self, DirectoryIdentity own, Map<String, DirectoryIdentity> answers) {
        return Founding.next(own, new Membership(self, MEMBERS), answers);
    }

    private static DirectoryIdentity begun(Founding.Step step) {
        return ((Begin) step).founded();
    }

    private static DirectoryIdentity empty() {
        return DirectoryIdentity.ofNew(CELL, UUID.randomUUID());
    }

    private static Member member(String name, int number) {
        return new Member(name, "127.0.0.1:710" + number, URI.create("http://127.0.0.1:700" + number));
    }
}
