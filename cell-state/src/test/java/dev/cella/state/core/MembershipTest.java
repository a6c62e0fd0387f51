package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.state.core.Membership.Member;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private static final Member R1 = member("r1", 1);
    private static final Member R2 = member("r2", 2);
    private static final Member R3 = member("r3", 3);

    @Test
    void others_areAllButItself() {
        Membership membership = new Membership("r2", List.of(R1, R2, R3));
        assertThat(membership.others()).containsExactly(R1, R3);
        assertThat(membership.isAlone()).isFalse();
        assertThat(Membership.alone().others()).isEmpty();
    }

    @Test
    void what_cannotBeACell_isRefusedInWords() {
        refused("r4 is not one of the replicas", () -> new Membership("r4", List.of(R1, R2, R3)));
        refused("two replicas are called r1", () -> new Membership("r1", List.of(R1, member("r1", 9), R3)));
        refused(
                "two replicas have their log at 127.0.0.1:7101",
                () -> new Membership("r1", List.of(R1, R2, new Member("r3", R1.log(), R3.address()))));
        refused("R1 is no name", () -> member("R1", 1));
        refused("here is no host:port", () -> new Member("r1", "here", R1.address()));
        refused("is no http://host:port", () -> new Member("r1", R1.log(), URI.create("ftp://a:1")));
    }

    private static void refused(String why, Runnable making) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    private static Member member(String name, int number) {
        return new Member(name, "127.0.0.1:710" + number, URI.create("http://127.0.0.1:700" + number));
    }
}
