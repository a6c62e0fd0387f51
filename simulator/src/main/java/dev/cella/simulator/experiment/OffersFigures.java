package dev.cella.simulator.experiment;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figure and the table of chapter 4: offers to two frameworks, and the time until a framework has its slots. */
final class OffersFigures {
    private static final String OFFERS = "offers";
    private static final String MULTI = "monolithic-multipath";
    private static final String REPLICATED = "replicated";
    private static final double MIDDLE_SECONDS = 30;
    private static final double LONG_SECONDS = 100;
    private static final double PER_CENT = 100;
    private static final double TIMES_LONGER = 10;

    /** Busy fractions of two separate schedulers and of one with two paths differ by little while both are low. */
    private static final double TOLERANCE = 0.1;

    private static final Panel WAIT = new Panel(
            "wait",
            "Mean wait to the first attempt",
            "seconds",
            true,
            List.of(FigureMetric.BATCH_WAIT, FigureMetric.SERVICE_WAIT));
    private static final Panel BUSY = new Panel(
            "busy",
            "Busy fraction",
            "part of time",
            false,
            List.of(FigureMetric.BATCH_BUSY, FigureMetric.SERVICE_BUSY));
    private static final Panel WHOLE = new Panel(
            "whole",
            "Mean wait until the whole job is placed",
            "seconds",
            true,
            List.of(FigureMetric.BATCH_WHOLE, FigureMetric.SERVICE_WHOLE));
    private static final Panel ABANDONED = new Panel(
            "abandoned", "Abandoned batch jobs", "part of the jobs", false, List.of(FigureMetric.BATCH_ABANDONED));

    static final List<Figure> ALL = List.of(figure44(), table41());

    private OffersFigures() {}

    private static Figure figure44() {
        List<FigurePoint> points = new ArrayList<>();
        for (ReferenceCell cell : ReferenceCell.values()) {
            for (double seconds : new double[] {0.1, 1, TIMES_LONGER, MIDDLE_SECONDS, LONG_SECONDS}) {
                points.add(point(OFFERS, cell, seconds));
            }
            points.add(point(MULTI, cell, 1));
            points.add(point(REPLICATED, cell, LONG_SECONDS));
        }
        return new Figure(
                "figure-4.4",
                "Figure 4.4: offers to two frameworks",
                "job time of service jobs, seconds",
                points,
                List.of(WAIT, WHOLE, BUSY, ABANDONED),
                List.of(
                        new Statement(
                                "at short decision times the busy fractions of both frameworks together are those of"
                                        + " multi-path",
                                "4.3, at a job time of 1 s",
                                OffersFigures::busyAsMultiPath),
                        new Statement(
                                "a service framework that decides for long keeps what it was offered: batch jobs wait at"
                                        + " least ten times as long as at a job time of 1 s",
                                "4.3, figure 4.4, at a job time of 100 s",
                                data -> batchWaits(data, OFFERS, true)),
                        new Statement(
                                "in the meantime the batch framework tries again and again on what is left, and gives jobs"
                                        + " up after 100 attempts without progress",
                                "4.3, figure 4.4, at job times of 30 and 100 s",
                                OffersFigures::batchIsAbandoned),
                        new Statement(
                                "with optimistic concurrency none of this happens",
                                "6.3, at a job time of 100 s",
                                data -> batchWaits(data, REPLICATED, false)),
                        new Statement(
                                "the service framework is busy for at least lambda E[S], the closed form: each job has at"
                                        + " least one attempt",
                                "3.2, queue M/G/1, while lambda E[S] is below 1",
                                OffersFigures::serviceIsBusyAsTheQueueIs)));
    }

    private static FigurePoint point(String architecture, ReferenceCell cell, double serviceSeconds) {
        RunParameters run = RunParameters.of(architecture, cell)
                .withDecisionTimes(DecisionTime.ofSeconds(0.1, 0.005), DecisionTime.ofSeconds(serviceSeconds, 0.005));
        return new FigurePoint(cell + " " + architecture, serviceSeconds, run);
    }

    private static double busy(FigureData data, ReferenceCell cell, String architecture, double seconds) {
        return at(data, cell + " " + architecture, seconds, FigureMetric.BATCH_BUSY)
                + at(data, cell + " " + architecture, seconds, FigureMetric.SERVICE_BUSY);
    }

    private static double at(FigureData data, String series, double x, FigureMetric metric) {
        return data.mean(series, x, metric).orElse(Double.NaN);
    }

    private static Finding busyAsMultiPath(FigureData data) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = true;
        for (ReferenceCell cell : ReferenceCell.values()) {
            double offers = busy(data, cell, OFFERS, 1);
            double multi = busy(data, cell, MULTI, 1);
            measured.append(String.format(Locale.ROOT, "%s: %.4f against %.4f. ", cell, offers, multi));
            agrees &= Math.abs(offers - multi) <= TOLERANCE * multi;
        }
        return new Finding(measured.toString().strip(), agrees);
    }

    /** @param locked whether batch jobs are expected to wait much longer than with offers at short decision times */
    private static Finding batchWaits(FigureData data, String architecture, boolean locked) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = true;
        for (ReferenceCell cell : ReferenceCell.values()) {
            String series = cell + " " + architecture;
            double wait = at(data, series, LONG_SECONDS, FigureMetric.BATCH_WAIT);
            double usual = at(data, cell + " " + OFFERS, 1, FigureMetric.BATCH_WAIT);
            double abandoned = at(data, series, LONG_SECONDS, FigureMetric.BATCH_ABANDONED);
            measured.append(String.format(
                    Locale.ROOT,
                    "%s: %.2f s against %.2f s, %.2f %% abandoned. ",
                    cell,
                    wait,
                    usual,
                    abandoned * PER_CENT));
            agrees &= locked ? wait >= TIMES_LONGER * usual : wait < TIMES_LONGER * usual && abandoned == 0;
        }
        return new Finding(measured.toString().strip(), agrees);
    }

    private static Finding batchIsAbandoned(FigureData data) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = false;
        for (ReferenceCell cell : ReferenceCell.values()) {
            double usual = abandoned(data, cell, 1);
            double at30 = abandoned(data, cell, MIDDLE_SECONDS);
            double at100 = abandoned(data, cell, LONG_SECONDS);
            measured.append(
                    String.format(Locale.ROOT, "%s: %.4f %%, %.4f %%; at 1 s %.4f %%. ", cell, at30, at100, usual));
            agrees |= usual == 0 && at30 + at100 > 0;
        }
        return new Finding(measured.toString().strip(), agrees);
    }

    private static double abandoned(FigureData data, ReferenceCell cell, double seconds) {
        return PER_CENT * at(data, cell + " " + OFFERS, seconds, FigureMetric.BATCH_ABANDONED);
    }

    private static Finding serviceIsBusyAsTheQueueIs(FigureData data) {
        StringBuilder measured = new StringBuilder();
        boolean agrees = true;
        for (ReferenceCell cell : ReferenceCell.values()) {
            for (double seconds : new double[] {TIMES_LONGER, LONG_SECONDS}) {
                RunParameters run = point(OFFERS, cell, seconds).parameters();
                double least = SingleServerQueue.of(run, Workload.SERVICE).busyFraction();
                double busy = at(data, cell + " " + OFFERS, seconds, FigureMetric.SERVICE_BUSY);
                measured.append(
                        String.format(Locale.ROOT, "%s at %.0f s: %.4f, bound %.4f. ", cell, seconds, busy, least));
                agrees &= busy >= least * (1 - TOLERANCE);
            }
        }
        return new Finding(measured.toString().strip(), agrees);
    }

    // ---- table 4.1

    private static Figure table41() {
        List<Statement> statements = new ArrayList<>();
        for (int slots : new int[] {10, 100}) {
            for (RampUp.TaskTimes times : RampUp.TaskTimes.values()) {
                statements.add(statement(slots, times));
            }
        }
        return new Figure(
                "table-4.1",
                "Table 4.1: ramp-up and completion of a framework that needs k slots",
                "slots",
                List.of(),
                List.of(),
                statements);
    }

    private static Statement statement(int slots, RampUp.TaskTimes times) {
        RampUp.Row paper = RampUp.paper(slots, times);
        return new Statement(
                String.format(
                        Locale.ROOT,
                        "k = %d, %s task times, job length 2 T: ramp-up %.2f T, completion %.2f T if elastic, %.2f T if"
                                + " rigid, in closed form with the harmonic number (the paper writes ln k: %.2f)",
                        slots,
                        times.words(),
                        paper.rampUp(),
                        paper.elastic(),
                        paper.rigid(),
                        Math.log(slots)),
                "4.2, table 4.1",
                data -> compare(paper, RampUp.measure(slots, times)));
    }

    private static Finding compare(RampUp.Row paper, RampUp.Row measured) {
        String text = String.format(
                Locale.ROOT, "%.2f T, %.2f T, %.2f T", measured.rampUp(), measured.elastic(), measured.rigid());
        return new Finding(text, measured.isWithin(TOLERANCE / 2, paper));
    }
}
