package dev.cella.scheduler.batch.megha;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One bit for each worker, in words of 64: free or not, or whether it meets a constraint. Megha finds workers for a task by AND
 * of such vectors, word by word (IV-B3).
 */
public final class WorkerBits {
    /** No worker. */
    public static final int NONE = -1;

    private static final int WORD_SHIFT = 6;

    /** The word that comes first in the array. Those before it are not kept. */
    private final int firstWord;

    private final long[] words;

    public WorkerBits(int workers) {
        this(0, workers);
    }

    /** Keeps the bits from one worker to before another, and perhaps some beside them. */
    public WorkerBits(int from, int to) {
        firstWord = from >>> WORD_SHIFT;
        words = new long[((to + Long.SIZE - 1) >>> WORD_SHIFT) - firstWord];
    }

    public boolean get(int worker) {
        return (word(worker >>> WORD_SHIFT) & (1L << worker)) != 0;
    }

    public void set(int worker, boolean value) {
        int word = (worker >>> WORD_SHIFT) - firstWord;
        long bit = 1L << worker;
        if (value) {
            words[word] |= bit;
        } else {
            words[word] &= ~bit;
        }
    }

    private long word(int word) {
        return words[word - firstWord];
    }

    /** Sets all from one worker to before another. */
    public void fill(int from, int to) {
        for (int worker = from; worker < to; worker++) {
            set(worker, true);
        }
    }

    /** Takes over the bits of these workers: the present state that a local master sends. */
    public void copy(WorkerBits other, int from, int to) {
        if (from >= to) {
            return;
        }
        int first = from >>> WORD_SHIFT;
        int last = (to - 1) >>> WORD_SHIFT;
        for (int word = first; word <= last; word++) {
            long mask = mask(word, from, to);
            words[word - firstWord] = (word(word) & ~mask) | (other.word(word) & mask);
        }
    }

    /** How many bits are set from one worker to before another. */
    public int count(int from, int to) {
        int count = 0;
        for (int word = from >>> WORD_SHIFT; from < to && word <= (to - 1) >>> WORD_SHIFT; word++) {
            count += Long.bitCount(word(word) & mask(word, from, to));
        }
        return count;
    }

    /** The first worker from one to before another that has this bit and all of the others, or {@link #NONE}. */
    public int first(int from, int to, List<WorkerBits> required) {
        for (int word = from >>> WORD_SHIFT; from < to && word <= (to - 1) >>> WORD_SHIFT; word++) {
            long matching = and(word, required) & mask(word, from, to);
            if (matching != 0) {
                return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(matching);
            }
        }
        return NONE;
    }

    /** Such a worker at random. Scans once to count, and once to the drawn one. */
    public int random(int from, int to, List<WorkerBits> required, RandomGenerator random) {
        int count = 0;
        for (int word = from >>> WORD_SHIFT; from < to && word <= (to - 1) >>> WORD_SHIFT; word++) {
            count += Long.bitCount(and(word, required) & mask(word, from, to));
        }
        if (count == 0) {
            return NONE;
        }
        int left = random.nextInt(count);
        int word = from >>> WORD_SHIFT;
        long matching = and(word, required) & mask(word, from, to);
        while (left >= Long.bitCount(matching)) {
            left -= Long.bitCount(matching);
            word++;
            matching = and(word, required) & mask(word, from, to);
        }
        for (; left > 0; left--) {
            matching &= matching - 1;
        }
        return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(matching);
    }

    private long and(int word, List<WorkerBits> required) {
        long bits = word(word);
        for (int each = 0; each < required.size() && bits != 0; each++) {
            bits &= required.get(each).word(word);
        }
        return bits;
    }

    /** The bits of the word that lie from one worker to before another. */
    private static long mask(int word, int from, int to) {
        long mask = -1L;
        if (word == from >>> WORD_SHIFT) {
            mask &= -1L << from;
        }
        if (word == (to - 1) >>> WORD_SHIFT) {
            mask &= -1L >>> -to;
        }
        return mask;
    }
}
