package dev.cella.bench.rule;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * A lower bound for the cost of committing claims: free amounts of machines in two arrays of ints, a stamp per machine, and an
 * open-addressing table from task to machine; claims of 32 bytes each, transaction after transaction. No names, pools,
 * attempts, digests, changes or outcomes.
 */
final class BareArrays {
    private static final int CLAIM_BYTES = 32;
    private static final int TASKS = 1 << 21;

    private final int[] cpu;
    private final int[] memory;
    private final long[] stamps;
    private final long[] tasks = new long[TASKS];
    private final int[] machines = new int[TASKS];

    BareArrays(int machineCount) {
        cpu = new int[machineCount];
        memory = new int[machineCount];
        stamps = new long[machineCount];
        Arrays.fill(cpu, 64_000);
        Arrays.fill(memory, 256_000);
    }

    /** Claims of tasks counted from 1 on random machines. */
    static ByteBuffer claims(int count, int machineCount) {
        Random random = new Random(1);
        ByteBuffer claims = ByteBuffer.allocate(count * CLAIM_BYTES);
        for (int task = 1; task <= count; task++) {
            claims.putLong(task)
                    .putInt(random.nextInt(machineCount))
                    .putInt(1_000)
                    .putInt(1_024);
            claims.position(claims.position() + CLAIM_BYTES - 20);
        }
        return claims;
    }

    int apply(ByteBuffer claims, int claimsEach) {
        int accepted = 0;
        long version = 0;
        for (int at = 0; at < claims.limit(); at += CLAIM_BYTES) {
            version += at / CLAIM_BYTES % claimsEach == 0 ? 1 : 0;
            accepted += claim(claims, at, version);
        }
        return accepted;
    }

    private int claim(ByteBuffer claims, int at, long version) {
        int machine = claims.getInt(at + 8);
        int asksCpu = claims.getInt(at + 12);
        int asksMemory = claims.getInt(at + 16);
        int place = place(claims.getLong(at));
        if (tasks[place] != 0 || cpu[machine] < asksCpu || memory[machine] < asksMemory) {
            return 0;
        }
        cpu[machine] -= asksCpu;
        memory[machine] -= asksMemory;
        stamps[machine] = version;
        tasks[place] = claims.getLong(at);
        machines[place] = machine;
        return 1;
    }

    private int place(long task) {
        int place = (int) ((task * 0x9E3779B97F4A7C15L) >>> 43);
        while (tasks[place] != 0 && tasks[place] != task) {
            place = (place + 1) & (TASKS - 1);
        }
        return place;
    }
}
