package dev.cella.transactions.cell;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The machines, one slot each, in primitive arrays: a claim touches one line of {@code free} and a few columns.
 *
 * <p>Amounts lie beside each other by slot ({@code slot * width + dimension}). A slot is never valid without the identity
 * beside it: {@code registeredVersions} is 0 in an empty one. A slot is used again for another name only when no row of a
 * task refers to it any more. Owned by the thread that applies changes.
 */
final class MachineTable {
    private static final int NAME = 1;
    private static final int REGISTERED = 2;
    private static final int ATTRIBUTES = 3;
    private static final int AGENT = 4;
    private static final int MARKS = 5;
    private static final int CLAIMED = 6;
    private static final int CLAIMED_BY_OTHERS = 7;
    private static final int CHANGED = 8;
    private static final int CAPACITY = 16;
    private static final int WANTED = CAPACITY + 32;
    private static final int FREE = WANTED + 32;

    final TableDigest digest = new TableDigest();
    private final Map<String, Integer> slotsByName = new HashMap<>();
    private final Map<Long, Integer> slotsById = new HashMap<>();
    private int slots;
    private int emptySlots;
    private int width = 4;
    private String[] names = new String[0];
    private long[] registeredVersions = new long[0];
    private long[] capacity = new long[0];
    private long[] wanted = new long[0];
    private long[] free = new long[0];
    private SortedMap<String, String>[] attributes = newAttributes(0);
    private @Nullable AgentIdentity[] agents = new AgentIdentity[0];
    private boolean[] draining = new boolean[0];
    private boolean[] down = new boolean[0];
    private long[] claimedVersions = new long[0];
    private long[] claimedByOthersVersions = new long[0];
    private @Nullable Origin[] claimedBy = new Origin[0];
    private long[] changedVersions = new long[0];
    private int[] firstTasks = new int[0];
    private int[] taskCounts = new int[0];
    private int[] references = new int[0];

    // ---- reading

    int slots() {
        return slots;
    }

    boolean exists(int slot) {
        return slot >= 0 && slot < slots && registeredVersions[slot] != 0;
    }

    /** The slot of the machine of that name, or -1. */
    int find(String name) {
        return slotsByName.getOrDefault(name, -1);
    }

    /** The slot of that incarnation, or -1. */
    int findById(long id) {
        return slotsById.getOrDefault(id, -1);
    }

    /** Where a machine of a new name goes: the first slot that nothing refers to. */
    int nextSlot() {
        for (int slot = 0; emptySlots > 0 && slot < slots; slot++) {
            if (registeredVersions[slot] == 0 && references[slot] == 0) {
                return slot;
            }
        }
        return slots;
    }

    /** The name of what is, or was last, in the slot. */
    String name(int slot) {
        return names[slot];
    }

    long registeredVersion(int slot) {
        return registeredVersions[slot];
    }

    long capacity(int slot, int dimension) {
        return capacity[slot * width + dimension];
    }

    long capacityWanted(int slot, int dimension) {
        return wanted[slot * width + dimension];
    }

    long free(int slot, int dimension) {
        return free[slot * width + dimension];
    }

    long held(int slot, int dimension) {
        return capacity(slot, dimension) - free(slot, dimension);
    }

    SortedMap<String, String> attributes(int slot) {
        return attributes[slot];
    }

    @Nullable
    AgentIdentity agent(int slot) {
        return agents[slot];
    }

    boolean isDraining(int slot) {
        return draining[slot];
    }

    boolean isDown(int slot) {
        return down[slot];
    }

    boolean isReady(int slot) {
        return !draining[slot] && !down[slot];
    }

    MachineStatus status(int slot) {
        if (down[slot]) {
            return MachineStatus.DOWN;
        }
        if (!draining[slot]) {
            return MachineStatus.READY;
        }
        return taskCounts[slot] > 0 ? MachineStatus.DRAINING : MachineStatus.DRAINED;
    }

    long claimedVersion(int slot) {
        return claimedVersions[slot];
    }

    /** The last version at which anyone claimed whose session is not {@code session}. */
    long claimedByOthersVersion(int slot, long session) {
        Origin by = claimedBy[slot];
        boolean own = session != 0 && by != null && by.session() == session;
        return own ? claimedByOthersVersions[slot] : claimedVersions[slot];
    }

    /** The last version at which anyone claimed but the one who claimed last. */
    long claimedByOthersVersion(int slot) {
        return claimedByOthersVersions[slot];
    }

    @Nullable
    Origin claimedBy(int slot) {
        return claimedBy[slot];
    }

    long changedVersion(int slot) {
        return changedVersions[slot];
    }

    int firstTask(int slot) {
        return firstTasks[slot];
    }

    int taskCount(int slot) {
        return taskCounts[slot];
    }

    // ---- changing

    void register(
            int slot,
            String name,
            Amounts amounts,
            Map<String, String> says,
            @Nullable AgentIdentity agent,
            long version) {
        if (slot >= slots) {
            grow(slot + 1);
        }
        checkInvariant(
                taskCounts[slot] == 0, "machine slot %s is registered anew with %s tasks", slot, taskCounts[slot]);
        if (registeredVersions[slot] != 0) {
            slotsById.remove(registeredVersions[slot]);
            slotsByName.remove(names[slot]);
        } else {
            emptySlots--;
        }
        setName(slot, name);
        setRegistered(slot, version);
        slotsByName.put(name, slot);
        slotsById.put(version, slot);
        for (int dimension = 0; dimension < width; dimension++) {
            setAmount(capacity, CAPACITY, slot, dimension, amounts.at(dimension));
            setAmount(wanted, WANTED, slot, dimension, amounts.at(dimension));
            setAmount(free, FREE, slot, dimension, amounts.at(dimension));
        }
        setAttributes(slot, says);
        setAgent(slot, agent);
        setMarks(slot, draining[slot], false);
        claimedBy[slot] = null;
        setClaimed(slot, version, 0);
        touch(slot, version);
    }

    /** Says capacity anew: what is held stays held, and capacity falls to what is wanted with the releases. */
    void renew(int slot, Amounts amounts, Map<String, String> says, @Nullable AgentIdentity agent, long version) {
        for (int dimension = 0; dimension < width; dimension++) {
            long held = held(slot, dimension);
            long next = Math.max(amounts.at(dimension), held);
            setAmount(wanted, WANTED, slot, dimension, amounts.at(dimension));
            setAmount(capacity, CAPACITY, slot, dimension, next);
            setAmount(free, FREE, slot, dimension, next - held);
        }
        setAttributes(slot, says);
        setAgent(slot, agent);
        touch(slot, version);
    }

    void mark(int slot, boolean isDraining, boolean isDown, long version) {
        setMarks(slot, isDraining, isDown);
        touch(slot, version);
    }

    void remove(int slot) {
        checkInvariant(taskCounts[slot] == 0, "machine slot %s is removed with %s tasks", slot, taskCounts[slot]);
        slotsById.remove(registeredVersions[slot]);
        slotsByName.remove(names[slot]);
        for (int dimension = 0; dimension < width; dimension++) {
            setAmount(capacity, CAPACITY, slot, dimension, 0);
            setAmount(wanted, WANTED, slot, dimension, 0);
            setAmount(free, FREE, slot, dimension, 0);
        }
        digest.moved(slot, NAME, Digests.of(names[slot]), 0);
        setAttributes(slot, new TreeMap<>());
        setAgent(slot, null);
        setMarks(slot, false, false);
        claimedBy[slot] = null;
        setClaimed(slot, 0, 0);
        setRegistered(slot, 0);
        touch(slot, 0);
        emptySlots++;
    }

    /** Takes amounts for a claim of {@code by}, which was checked to fit. */
    void take(int slot, Amounts amounts, Origin by) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            long left = free(slot, dimension) - amounts.at(dimension);
            checkInvariant(left >= 0, "machine slot %s, dimension %s: free %s", slot, dimension, left);
            setAmount(free, FREE, slot, dimension, left);
        }
        claim(slot, by);
        touch(slot, by.version());
    }

    private void claim(int slot, Origin by) {
        Origin before = claimedBy[slot];
        long others = 0;
        if (before != null) {
            boolean sameSession = by.session() != 0 && before.session() == by.session();
            boolean sameTransaction = before.version() == by.version();
            others = sameSession || sameTransaction ? claimedByOthersVersions[slot] : claimedVersions[slot];
        }
        setClaimed(slot, by.version(), others);
        claimedBy[slot] = by;
    }

    /** Gives amounts back; a machine that is to shrink shrinks by them. */
    void release(int slot, Amounts amounts, long version) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            long more = free(slot, dimension) + amounts.at(dimension);
            long shrinks = Math.min(more, capacity(slot, dimension) - capacityWanted(slot, dimension));
            setAmount(capacity, CAPACITY, slot, dimension, capacity(slot, dimension) - shrinks);
            setAmount(free, FREE, slot, dimension, more - shrinks);
            checkInvariant(
                    free(slot, dimension) <= capacity(slot, dimension),
                    "machine slot %s, dimension %s: more is free than there is: %s",
                    slot,
                    dimension,
                    free(slot, dimension));
        }
        touch(slot, version);
    }

    /** Takes amounts that are free for a hold; that is no claim. */
    void hold(int slot, Amounts amounts, long version) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            long left = free(slot, dimension) - amounts.at(dimension);
            checkInvariant(left >= 0, "machine slot %s, dimension %s: free %s", slot, dimension, left);
            setAmount(free, FREE, slot, dimension, left);
        }
        touch(slot, version);
    }

    void linkTask(int slot, int row) {
        firstTasks[slot] = row;
        taskCounts[slot]++;
    }

    void unlinkTask(int slot, int nextFirst) {
        firstTasks[slot] = nextFirst;
        taskCounts[slot]--;
    }

    /** Rows of tasks, ended ones too, that name the machine by its slot. */
    void refer(int slot, int more) {
        references[slot] += more;
    }

    // ---- loading

    void load(
            int slot,
            String name,
            long registered,
            Amounts has,
            Amounts wants,
            Amounts isFree,
            Map<String, String> says,
            @Nullable AgentIdentity agent,
            boolean isDraining,
            boolean isDown,
            long claimed,
            long claimedByOthers,
            @Nullable Origin by,
            long changed) {
        register(slot, name, has, says, agent, registered);
        for (int dimension = 0; dimension < width; dimension++) {
            setAmount(wanted, WANTED, slot, dimension, wants.at(dimension));
            setAmount(free, FREE, slot, dimension, isFree.at(dimension));
        }
        setMarks(slot, isDraining, isDown);
        setClaimed(slot, claimed, claimedByOthers);
        claimedBy[slot] = by;
        touch(slot, changed);
    }

    void loadEmpty(int slot, String name) {
        if (slot >= slots) {
            grow(slot + 1);
        }
        names[slot] = name;
    }

    /** Makes room for one more dimension in every row. */
    void widen(int dimensions) {
        if (dimensions <= width) {
            return;
        }
        capacity = widened(capacity, 2 * width);
        wanted = widened(wanted, 2 * width);
        free = widened(free, 2 * width);
        width = 2 * width;
    }

    private long[] widened(long[] narrow, int wider) {
        long[] wide = new long[names.length * wider];
        for (int slot = 0; slot < slots; slot++) {
            System.arraycopy(narrow, slot * width, wide, slot * wider, width);
        }
        return wide;
    }

    private void touch(int slot, long version) {
        digest.moved(slot, CHANGED, changedVersions[slot], version);
        changedVersions[slot] = version;
    }

    private void setName(int slot, String name) {
        boolean was = registeredVersions[slot] != 0;
        digest.moved(slot, NAME, was ? Digests.of(names[slot]) : 0, Digests.of(name));
        names[slot] = name;
    }

    private void setRegistered(int slot, long version) {
        digest.moved(slot, REGISTERED, registeredVersions[slot], version);
        registeredVersions[slot] = version;
    }

    private void setAmount(long[] amounts, int column, int slot, int dimension, long value) {
        int at = slot * width + dimension;
        digest.moved(slot, column + dimension, amounts[at], value);
        amounts[at] = value;
    }

    private void setAttributes(int slot, Map<String, String> says) {
        SortedMap<String, String> sorted = new TreeMap<>(says);
        digest.moved(slot, ATTRIBUTES, digestOf(attributes[slot]), digestOf(sorted));
        attributes[slot] = sorted;
    }

    private static long digestOf(SortedMap<String, String> says) {
        long of = 0;
        for (Map.Entry<String, String> each : says.entrySet()) {
            of = Digests.mix(Digests.mix(of, Digests.of(each.getKey())), Digests.of(each.getValue()));
        }
        return of;
    }

    private void setAgent(int slot, @Nullable AgentIdentity agent) {
        digest.moved(slot, AGENT, digestOf(agents[slot]), digestOf(agent));
        agents[slot] = agent;
    }

    private static long digestOf(@Nullable AgentIdentity agent) {
        return agent == null
                ? 0
                : Digests.mix(
                        Digests.mix(Digests.of(agent.bootId()), Digests.of(agent.address())), agent.leaseMillis());
    }

    private void setMarks(int slot, boolean isDraining, boolean isDown) {
        digest.moved(slot, MARKS, marks(draining[slot], down[slot]), marks(isDraining, isDown));
        draining[slot] = isDraining;
        down[slot] = isDown;
    }

    private static int marks(boolean isDraining, boolean isDown) {
        return (isDraining ? 1 : 0) + (isDown ? 2 : 0);
    }

    private void setClaimed(int slot, long version, long byOthers) {
        digest.moved(slot, CLAIMED, claimedVersions[slot], version);
        digest.moved(slot, CLAIMED_BY_OTHERS, claimedByOthersVersions[slot], byOthers);
        claimedVersions[slot] = version;
        claimedByOthersVersions[slot] = byOthers;
    }

    private void grow(int atLeast) {
        if (atLeast > names.length) {
            int length = Math.max(16, Math.max(atLeast, 2 * names.length));
            names = Arrays.copyOf(names, length);
            registeredVersions = Arrays.copyOf(registeredVersions, length);
            capacity = Arrays.copyOf(capacity, length * width);
            wanted = Arrays.copyOf(wanted, length * width);
            free = Arrays.copyOf(free, length * width);
            attributes = Arrays.copyOf(attributes, length);
            agents = Arrays.copyOf(agents, length);
            draining = Arrays.copyOf(draining, length);
            down = Arrays.copyOf(down, length);
            claimedVersions = Arrays.copyOf(claimedVersions, length);
            claimedByOthersVersions = Arrays.copyOf(claimedByOthersVersions, length);
            claimedBy = Arrays.copyOf(claimedBy, length);
            changedVersions = Arrays.copyOf(changedVersions, length);
            firstTasks = Arrays.copyOf(firstTasks, length);
            taskCounts = Arrays.copyOf(taskCounts, length);
            references = Arrays.copyOf(references, length);
        }
        for (int slot = slots; slot < atLeast; slot++) {
            names[slot] = "";
            attributes[slot] = new TreeMap<>();
            firstTasks[slot] = TaskTable.NO_ROW;
            emptySlots++;
        }
        slots = atLeast;
    }

    @SuppressWarnings("unchecked")
    private static SortedMap<String, String>[] newAttributes(int length) {
        return (SortedMap<String, String>[]) new SortedMap<?, ?>[length];
    }
}
