package dev.cella.transactions.cell;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much a piece of work allocates: a measure of what it goes through that does not depend on the speed of the machine. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    static long bytes(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
