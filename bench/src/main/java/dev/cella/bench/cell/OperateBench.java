package dev.cella.bench.cell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The operator's work on a cell with many live tasks, while it commits at a light rate: backups, and replicas whose
 * directory is lost. Each takes a time, and stops the commits for another.
 */
public final class OperateBench {
    private static final double MIB = 1 << 20;
    private static final int CLAIMS = 10;
    private static final int TRANSACTIONS_PER_SECOND = 200;

    private OperateBench() {}

    /**
     * The results.
     *
     * @param tasks live before the first backup
     * @param untouchedPauseMillis the longest pause of the commits in as long as the first backup took, without an operator
     */
    public record Report(
            Conditions conditions,
            Servers servers,
            int machines,
            long tasks,
            double untouchedPauseMillis,
            List<Backup> backups,
            List<Replacement> replacements) {}

    /**
     * One backup over HTTP, from the first byte asked to the last.
     *
     * @param pauseMillis the longest time meanwhile in which no commit was answered
     */
    public record Backup(double seconds, double mib, double pauseMillis) {}

    /**
     * One replacement of a replica that was killed and whose directory is gone.
     *
     * @param led whether it led when it was killed, so that the others elected another
     * @param seconds from the start of the new process until it is ready
     * @param pauseMillis as in a {@link Backup}, from the kill on
     */
    public record Replacement(String replica, boolean led, double seconds, double pauseMillis) {}

    public static Report run(Servers servers, int machines, long tasks, int times)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            long placed = LiveTasks.place(cell, machines, tasks);
            try (CommitWatch commits = new CommitWatch(cell, machines, CLAIMS, TRANSACTIONS_PER_SECOND)) {
                commits.start();
                List<Backup> backups = new ArrayList<>();
                for (int time = 0; time < times; time++) {
                    backups.add(backUp(cell, commits));
                }
                double untouched = untouched(commits, backups.get(0).seconds());
                List<Replacement> replacements = servers.replicas() == 1 ? List.of() : replaceAll(cell, commits, times);
                return new Report(conditions, servers, machines, placed, untouched, backups, replacements);
            }
        }
    }

    private static Backup backUp(BenchedCell cell, CommitWatch commits) throws IOException {
        commits.begin();
        long began = System.nanoTime();
        try (InputStream in = cell.http().backup()) {
            long bytes = in.transferTo(OutputStream.nullOutputStream());
            return new Backup((System.nanoTime() - began) / 1e9, bytes / MIB, commits.pauseMillis());
        }
    }

    private static double untouched(CommitWatch commits, double seconds) throws InterruptedException {
        commits.begin();
        Thread.sleep((long) (1_000 * seconds) + 1);
        return commits.pauseMillis();
    }

    /** In turns one that follows and the one that leads. */
    private static List<Replacement> replaceAll(BenchedCell cell, CommitWatch commits, int times)
            throws IOException, InterruptedException {
        List<Replacement> replacements = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            int leader = cell.leader();
            replacements.add(replace(cell, commits, (leader + 1) % cell.replicas(), false));
            replacements.add(replace(cell, commits, cell.leader(), true));
        }
        return replacements;
    }

    private static Replacement replace(BenchedCell cell, CommitWatch commits, int replica, boolean leads)
            throws IOException, InterruptedException {
        commits.begin();
        cell.lose(replica);
        long began = System.nanoTime();
        cell.replace(replica);
        return new Replacement(
                BenchedCell.name(replica), leads, (System.nanoTime() - began) / 1e9, commits.pauseMillis());
    }
}
