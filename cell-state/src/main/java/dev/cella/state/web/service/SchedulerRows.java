package dev.cella.state.web.service;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.client.proto.ClaimTotals;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerState;
import dev.cella.client.proto.SchedulerStatus;
import dev.cella.client.proto.TransactionTotals;
import dev.cella.state.conflicts.Totals;
import dev.cella.transactions.cell.tables.SessionRow;
import java.util.Optional;

/** Schedulers' instances in the wire contract. */
final class SchedulerRows {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double PER_MILLE = 1_000;

    private SchedulerRows() {}

    static SchedulerStatus of(SessionRow session, boolean paused, Totals totals, Optional<SchedulerReports.Said> said) {
        SchedulerStatus.Builder status = SchedulerStatus.newBuilder()
                .setName(session.scheduler())
                .setType(session.type())
                .setInstance(session.instance())
                .setState(state(paused, said))
                .setTransactions(transactions(totals))
                .setClaims(claims(totals))
                .setSession(session.id().version())
                .setChangedVersion(session.changedVersion());
        totals.conflictFraction().ifPresent(fraction -> status.setConflictFraction(rounded(fraction)));
        said.ifPresent(each -> addSaid(status, each));
        return status.build();
    }

    private static TransactionTotals.Builder transactions(Totals totals) {
        return TransactionTotals.newBuilder()
                .setAttempted(totals.attempted())
                .setSuccessful(totals.successful())
                .setConflicted(totals.conflicted())
                .setRefused(totals.refused());
    }

    private static ClaimTotals.Builder claims(Totals totals) {
        return ClaimTotals.newBuilder()
                .setAccepted(totals.claimsAccepted())
                .setConflicted(totals.claimsConflicted())
                .setRefused(totals.claimsRefused());
    }

    /** Paused by an operator, or as the instance reports. */
    private static SchedulerState state(boolean paused, Optional<SchedulerReports.Said> said) {
        return paused
                ? SchedulerState.SCHEDULER_STATE_PAUSED
                : said.map(SchedulerReports.Said::report)
                        .map(SchedulerRows::state)
                        .orElse(SchedulerState.SCHEDULER_STATE_OPEN);
    }

    private static SchedulerState state(SchedulerReport report) {
        if (report.getPaused()) {
            return SchedulerState.SCHEDULER_STATE_PAUSED;
        }
        boolean busy = report.getQueueLength() + report.getTransactionsInFlight() > 0;
        return busy ? SchedulerState.SCHEDULER_STATE_BUSY : SchedulerState.SCHEDULER_STATE_IDLE;
    }

    private static void addSaid(SchedulerStatus.Builder status, SchedulerReports.Said said) {
        SchedulerReport report = said.report();
        status.setBusyFraction(fraction(report.getBusy(), report.getElapsed()))
                .setWastedBusyFraction(fraction(report.getWasted(), report.getElapsed()))
                .setQueueLength(report.getQueueLength())
                .setTransactionsInFlight(report.getTransactionsInFlight())
                .setLagVersions(said.lagVersions())
                .setSaidAgo(Durations.fromMillis(said.ago().toMillis()))
                .setPlansFailed(report.getPlansFailed())
                .setPlansGivenUp(report.getPlansGivenUp())
                .setPlansRepeated(report.getPlansRepeated());
        if (report.getPlans() > 0) {
            status.setDecisionTimeMeanSeconds(
                    Durations.toNanos(report.getPlanning()) / NANOS_PER_SECOND / report.getPlans());
        }
        if (report.hasLastPlannerFailure()) {
            status.setLastPlannerFailure(report.getLastPlannerFailure());
        }
    }

    /** The fraction, to three places. */
    static double fraction(Duration part, Duration whole) {
        long wholeNanos = Durations.toNanos(whole);
        return wholeNanos == 0 ? 0 : rounded((double) Durations.toNanos(part) / wholeNanos);
    }

    static double rounded(double fraction) {
        return Math.round(fraction * PER_MILLE) / PER_MILLE;
    }
}
