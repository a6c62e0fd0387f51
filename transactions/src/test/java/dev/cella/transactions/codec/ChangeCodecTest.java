package dev.cella.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangeCodecTest {
    @Test
    void frames_writtenAndReadAndWritten_areTheSameBytes() {
        ChangeWriter first = new ChangeWriter();
        AllChanges.tell(first);
        byte[] frames = first.take();
        ChangeWriter second = new ChangeWriter();
        new ChangeReader(second).readFrames(frames);
        assertThat(second.take()).isEqualTo(frames);
        assertThat(first.take()).isEmpty();
    }

    /** The list of changes in this test is whole. */
    @Test
    void everyKindOfChange_isTold() {
        Set<String> told = new HashSet<>();
        ChangeSink noting = (ChangeSink) Proxy.newProxyInstance(
                ChangeSink.class.getClassLoader(), new Class<?>[] {ChangeSink.class}, (proxy, method, arguments) -> {
                    told.add(method.getName());
                    return null;
                });
        AllChanges.tell(noting);
        for (Method method : ChangeSink.class.getMethods()) {
            assertThat(told).contains(method.getName());
        }
    }

    @Test
    void placementsOfOneGroup_thatFollowOneAnother_areToldTogether() {
        ChangeWriter writer = new ChangeWriter();
        Placements placed = Placements.of(3, 17, 0);
        placed.add(4, 18, 1);
        placed.add(9, 17, 2);
        writer.begin(7, 1_000, 2_000, null);
        writer.tasksPlaced(5, 0, placed);
        writer.tasksPlaced(5, 1, Placements.of(0, 17, 3));
        writer.end();
        List<Integer> together = new ArrayList<>();
        new ChangeReader(new IgnoredChanges() {
                    @Override
                    public void tasksPlaced(long job, int group, Placements some) {
                        together.add(some.count());
                    }
                })
                .readFrames(writer.take());
        assertThat(together).containsExactly(3, 1);
    }

    @Test
    void frames_cutAnywhere_areRefused() {
        ChangeWriter writer = new ChangeWriter();
        AllChanges.tell(writer);
        byte[] frames = writer.take();
        ByteReader first = new ByteReader(frames);
        int firstFrame = first.readInt() + first.offset();
        for (int length = 1; length < firstFrame; length++) {
            byte[] cut = Arrays.copyOf(frames, length);
            assertThatThrownBy(() -> new ChangeReader(new IgnoredChanges()).readFrames(cut))
                    .as("cut at " + length)
                    .isInstanceOf(DamagedBytesException.class);
        }
    }
}
