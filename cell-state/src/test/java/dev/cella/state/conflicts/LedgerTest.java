package dev.cella.state.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.history.Span;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LedgerTest {
    private static final long NOON = 1_700_000_000_000L;

    private static LostClaim lost(long version, String job, String machine, String loser, String winner) {
        return new LostClaim(
                NOON + version,
                new TaskId(new JobId(1 + version % 7), 0, (int) version % 100),
                job + "/main/" + version % 100,
                machine,
                version % 2 == 0 ? Reason.DOES_NOT_FIT : Reason.MACHINE_CHANGED,
                version % 2 == 0 ? Optional.of("cpuMilli") : Optional.empty(),
                500,
                version % 3 - 1,
                version - 1 - version % 5,
                new Origin(new TransactionId(loser + "-" + version), loser, version % 4, version),
                winner.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Origin(new TransactionId(winner + "-1"), winner, 3, version - 1)));
    }

    private static List<LostClaim> some(int count) {
        Random random = new Random(7);
        List<LostClaim> all = new ArrayList<>();
        for (int version = 10; version < 10 + count; version++) {
            all.add(lost(
                    version,
                    "job-" + random.nextInt(50),
                    random.nextInt(10) == 0 ? "" : "m-" + random.nextInt(200),
                    "s-" + random.nextInt(4),
                    random.nextInt(10) == 0 ? "" : "s-" + random.nextInt(4)));
        }
        return all;
    }

    private static Ledger ledger(List<LostClaim> all) {
        Ledger ledger = new Ledger(64 << 20);
        all.forEach(ledger::add);
        return ledger;
    }

    private static List<LostClaim> claims(List<Ledger.Numbered> rows) {
        return rows.stream().map(Ledger.Numbered::lost).toList();
    }

    @Test
    void newest_givesEveryClaimAsItWas_newestFirst() {
        List<LostClaim> all = some(5_000);
        List<LostClaim> newestFirst = new ArrayList<>(all);
        Collections.reverse(newestFirst);

        assertThat(claims(ledger(all).newest(LedgerFilter.ALL, Long.MAX_VALUE, 10_000)))
                .isEqualTo(newestFirst);
    }

    @Test
    void newest_ofATask_findsAllItsClaims() {
        List<LostClaim> all = some(5_000);
        LedgerFilter filter = new LedgerFilter(
                Span.EVER,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("job-7/main/12"),
                Optional.empty(),
                Optional.empty());
        List<LostClaim> expected = new ArrayList<>(all.stream()
                .filter(each -> each.taskName().equals("job-7/main/12"))
                .toList());
        Collections.reverse(expected);

        assertThat(expected).isNotEmpty();
        assertThat(claims(ledger(all).newest(filter, Long.MAX_VALUE, 10_000))).isEqualTo(expected);
    }

    @Test
    void pages_haveEveryClaimOnce() {
        List<LostClaim> all = some(3_000);
        Ledger ledger = ledger(all);
        LedgerFilter ofOne = LedgerFilter.ALL.ofLoser(Optional.of("s-1"));
        List<LostClaim> paged = new ArrayList<>();
        long before = Long.MAX_VALUE;
        for (List<Ledger.Numbered> page = ledger.newest(ofOne, before, 100);
                !page.isEmpty();
                page = ledger.newest(ofOne, before, 100)) {
            paged.addAll(claims(page));
            before = page.get(page.size() - 1).row();
        }
        assertThat(paged).isEqualTo(claims(ledger.newest(ofOne, Long.MAX_VALUE, 10_000)));
        assertThat(paged).allMatch(each -> each.loser().scheduler().equals("s-1"));
    }

    @Test
    void count_ofASpan_countsWhatLiesInIt() {
        List<LostClaim> all = some(5_000);
        Span span = new Span(NOON + 1_000, NOON + 2_000, 0, Long.MAX_VALUE);
        LedgerCounts counts = new LedgerCounts(Optional.of(GroupBy.MACHINE));
        ledger(all).count(LedgerFilter.ALL.within(span), counts);

        List<LostClaim> in = all.stream()
                .filter(each -> span.has(each.version(), each.atMillis()))
                .toList();
        assertThat(counts.all().count).isEqualTo(in.size());
        assertThat(counts.groups().stream()
                        .mapToLong(ConflictSummary.GroupRow::count)
                        .sum())
                .isEqualTo(in.stream().filter(each -> !each.machine().isEmpty()).count());
        assertThat(counts.matrix().stream()
                        .mapToLong(ConflictSummary.MatrixRow::count)
                        .sum())
                .isEqualTo(in.stream().filter(each -> each.winner().isPresent()).count());
        assertThat(counts.causes().stream()
                        .mapToLong(ConflictSummary.CauseRow::count)
                        .sum())
                .isEqualTo(in.size());
    }

    @Test
    void aFullLedger_dropsTheOldest_andSaysSinceWhenNoneIsMissing() {
        Ledger ledger = new Ledger(200_000);
        List<LostClaim> all = some(20_000);
        all.forEach(ledger::add);

        List<LostClaim> kept = claims(ledger.newest(LedgerFilter.ALL, Long.MAX_VALUE, 100_000));
        assertThat(kept).hasSizeBetween(500, 15_000);
        assertThat(ledger.kept()).isEqualTo(kept.size());
        List<LostClaim> newest = new ArrayList<>(all.subList(all.size() - kept.size(), all.size()));
        Collections.reverse(newest);
        assertThat(kept).isEqualTo(newest);
        assertThat(ledger.keptFromMillis()).isEqualTo(kept.get(kept.size() - 1).atMillis());
    }
}
