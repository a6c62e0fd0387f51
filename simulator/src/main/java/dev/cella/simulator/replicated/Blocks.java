package dev.cella.simulator.replicated;

import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.simulator.engine.InputMeter.Distance;
import dev.cella.simulator.engine.InputSetUp;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.transactions.model.Digests;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The machines that have the blocks which tasks read. HDFS's rule places them: the first replica on any machine, the second
 * in another rack, the third beside the second, if that rack has another machine. With one rack, any machines get them. Every block has a seed of its own, so
 * a file is in the same place in every run.
 */
final class Blocks {
    private static final String RACK = "rack";
    private static final long COMMON_FILE = -1;

    private final int machines;
    private final InputSetUp setUp;
    private final long seed;

    Blocks(RunParameters parameters) {
        this.machines = parameters.geometry().machines();
        this.setUp = parameters.input();
        this.seed = RandomStream.BLOCKS.of(parameters.seed()).nextLong();
    }

    /** The attributes that name the machine's rack. */
    Map<String, String> attributes(int machine) {
        return setUp.racks() == 1 ? Map.of() : Map.of(RACK, "r" + rack(machine));
    }

    private int rack(int machine) {
        return (int) ((long) machine * setUp.racks() / machines);
    }

    boolean areRead(SimulatedJob job) {
        return setUp.replicas() > 0 && job.reads() != SimulatedJob.Reads.NOTHING;
    }

    /** The machines that have the block of each task. */
    List<int[]> of(SimulatedJob job) {
        long file = job.reads() == SimulatedJob.Reads.COMMON
                ? COMMON_FILE
                : Digests.mix(job.number(), Digests.of(job.workload().word()));
        List<int[]> blocks = new ArrayList<>(job.tasks());
        for (int task = 0; task < job.tasks(); task++) {
            blocks.add(replicas(new SplittableRandom(Digests.mix(Digests.mix(seed, file), task))));
        }
        return blocks;
    }

    private int[] replicas(SplittableRandom random) {
        Set<Integer> chosen = new LinkedHashSet<>();
        int first = random.nextInt(machines);
        chosen.add(first);
        int second = -1;
        while (chosen.size() < Math.min(setUp.replicas(), machines)) {
            int next = random.nextInt(machines);
            if (mayBeNext(next, first, second, chosen.size()) && chosen.add(next)) {
                second = second < 0 ? next : second;
            }
        }
        return chosen.stream().mapToInt(Integer::intValue).toArray();
    }

    /** @param second -1 if there is none yet */
    private boolean mayBeNext(int next, int first, int second, int count) {
        if (setUp.racks() == 1 || count > 2) {
            return true;
        }
        return second < 0 ? rack(next) != rack(first) : rack(next) == rack(second) || isAlone(second);
    }

    private boolean isAlone(int machine) {
        int rack = rack(machine);
        return (machine == 0 || rack(machine - 1) != rack) && (machine + 1 == machines || rack(machine + 1) != rack);
    }

    /** The blocks as the inputs of a job file. */
    GroupInputs inputs(List<int[]> blocks) {
        List<TaskInputs> tasks = new ArrayList<>(blocks.size());
        for (int[] block : blocks) {
            Set<String> names = new LinkedHashSet<>();
            for (int machine : block) {
                names.add(CommonState.machineName(machine));
            }
            tasks.add(new TaskInputs(names, Set.of()));
        }
        return new GroupInputs(tasks, setUp.waitMachineMillis(), setUp.waitRackMillis());
    }

    /** How far the machine is from the block. */
    Distance distance(int[] block, int machine) {
        boolean sameRack = false;
        for (int each : block) {
            if (each == machine) {
                return Distance.NODE;
            }
            sameRack |= setUp.racks() > 1 && rack(each) == rack(machine);
        }
        return sameRack ? Distance.RACK : Distance.ANY;
    }

    /** The time of a task that is so far from its block. */
    long nanos(long besideItsBlock, Distance distance) {
        return distance == Distance.NODE ? besideItsBlock : Math.round(besideItsBlock * setUp.remoteFactor());
    }
}
