package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Token;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TokensTest {
    private static final Token READER = token("reader", "a", "read");

    /** Founded at the lowest level. Its private replica is compared after each command. */
    private final TestCell tested = new TestCell();

    private final Cell cell = tested.cell;

    private static Token token(String name, String digit, String... scopes) {
        return new Token(name, digit.repeat(Token.HASH_LENGTH), new TreeSet<>(List.of(scopes)), new TreeSet<>(), 0);
    }

    private CommandResult apply(Command command) {
        return tested.apply(command);
    }

    private void found() {
        apply(new Command.RaiseFeatureLevel(EntryCodec.TOKENS_LEVEL));
    }

    @Test
    void put_isFoundByItsHash_andNotAfterItWasRevoked() {
        found();
        apply(new Command.PutToken(READER));
        assertThat(cell.view().tokensByHash()).containsEntry(READER.hash(), READER);

        apply(new Command.RevokeToken("reader"));
        assertThat(cell.view().tokensByHash()).isEmpty();
        assertThat(cell.view().tokens()).isEmpty();
    }

    @Test
    void putAgain_forgetsTheOlderSecret() {
        found();
        apply(new Command.PutToken(READER));
        apply(new Command.PutToken(token("reader", "b", "read")));
        assertThat(cell.view().tokensByHash()).containsOnlyKeys("b".repeat(Token.HASH_LENGTH));
    }

    @Test
    void secretOfAnotherToken_isRefused() {
        found();
        apply(new Command.PutToken(READER));
        assertThat(apply(new Command.PutToken(token("other", "a", "operate"))))
                .isInstanceOfSatisfying(
                        CommandResult.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.BAD_COMMAND));
    }

    @Test
    void put_belowItsLevel_isRefused() {
        assertThat(cell.view().featureLevel()).isLessThan(EntryCodec.TOKENS_LEVEL);
        assertThat(apply(new Command.PutToken(READER))).isInstanceOf(CommandResult.Refused.class);
    }

    @Test
    void snapshot_hasTheTokens_withTheSameDigests() {
        found();
        apply(new Command.PutToken(READER));
        Cell loaded = new Cell(CellLimits.STANDARD);
        loaded.load(cell.snapshot());
        assertThat(loaded.view().tokensByHash()).containsOnlyKeys(READER.hash());
        assertThat(loaded.view().digests()).isEqualTo(cell.view().digests());

        CellReplica follower = new CellReplica();
        follower.load(cell.snapshotForReplicas());
        assertThat(follower.view().digests()).isEqualTo(cell.view().digests());
    }

    /** Making a map of all tokens for each of them would take a hundred times as much. */
    @Test
    void snapshotOfManyTokens_isLoadedAtACostForEach() {
        int count = 2_000;
        TestCell many = new TestCell(CellLimits.STANDARD, false);
        many.apply(new Command.RaiseFeatureLevel(EntryCodec.TOKENS_LEVEL));
        for (int each = 0; each < count; each++) {
            String hash = String.format("%064x", each);
            many.apply(new Command.PutToken(
                    new Token("t" + each, hash, new TreeSet<>(List.of("read")), new TreeSet<>(), 0)));
        }
        List<byte[]> snapshot = many.cell.snapshot();
        Cell loaded = new Cell(CellLimits.STANDARD);
        long bytes = Allocation.bytes(() -> loaded.load(snapshot));
        assertThat(loaded.view().tokensByHash()).hasSize(count);
        assertThat(bytes).isLessThan(8_000L * count);
    }

    @Test
    void tokensThatMeanNothing_areNone() {
        assertThatThrownBy(() -> token("Not a name", "a", "read")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> token("reader", "g", "read")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> token("reader", "a")).isInstanceOf(IllegalArgumentException.class);
        assertThat(READER.toString()).doesNotContain(READER.hash());
    }
}
