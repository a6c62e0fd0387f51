package dev.cella.scheduler.batch.apollo;

import java.util.Arrays;

/** The cheapest assignment of tasks to as many servers: the Hungarian algorithm in its form with potentials, O(n^3). */
final class Assignment {
    private Assignment() {}

    /** The server of each task. */
    static int[] cheapest(double[][] costs) {
        int size = costs.length;
        double[] ofTask = new double[size + 1];
        double[] ofServer = new double[size + 1];
        int[] taskOf = new int[size + 1];
        int[] before = new int[size + 1];
        for (int task = 1; task <= size; task++) {
            taskOf[0] = task;
            int server = 0;
            double[] least = new double[size + 1];
            boolean[] used = new boolean[size + 1];
            Arrays.fill(least, Double.POSITIVE_INFINITY);
            do {
                used[server] = true;
                int nextServer = 0;
                double delta = Double.POSITIVE_INFINITY;
                for (int other = 1; other <= size; other++) {
                    if (used[other]) {
                        continue;
                    }
                    double reduced = costs[taskOf[server] - 1][other - 1] - ofTask[taskOf[server]] - ofServer[other];
                    if (reduced < least[other]) {
                        least[other] = reduced;
                        before[other] = server;
                    }
                    if (least[other] < delta) {
                        delta = least[other];
                        nextServer = other;
                    }
                }
                for (int other = 0; other <= size; other++) {
                    if (used[other]) {
                        ofTask[taskOf[other]] += delta;
                        ofServer[other] -= delta;
                    } else {
                        least[other] -= delta;
                    }
                }
                server = nextServer;
            } while (taskOf[server] != 0);
            while (server != 0) {
                taskOf[server] = taskOf[before[server]];
                server = before[server];
            }
        }
        int[] servers = new int[size];
        for (int server = 1; server <= size; server++) {
            servers[taskOf[server] - 1] = server - 1;
        }
        return servers;
    }
}
