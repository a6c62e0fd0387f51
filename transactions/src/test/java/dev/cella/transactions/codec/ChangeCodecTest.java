package dev.cella.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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

    @Test
    void steps_thatAreAlikeAndFollowOneAnother_areReadTogether() {
        ChangeWriter writer = new ChangeWriter();
        writer.begin(2, 3, 4, null);
        writer.tasksStepped(1, 0, stop(TaskReason.KILLED).add(5).add(3));
        writer.tasksStepped(1, 0, stop(TaskReason.KILLED).add(4));
        writer.tasksStepped(1, 0, stop(TaskReason.UPDATED).add(7).add(8));
        writer.taskAgain(1, 0, 9);
        writer.tasksStepped(1, 0, stop(TaskReason.UPDATED).add(10));
        writer.tasksStepped(1, 1, stop(TaskReason.UPDATED).add(11));
        writer.end();
        List<String> read = new ArrayList<>();
        new ChangeReader(noting(read)).readFrames(writer.take());
        assertThat(read)
                .containsExactly(
                        "1/0 KILLED [5, 3, 4]",
                        "1/0 UPDATED [7, 8]",
                        "again 9",
                        "1/0 UPDATED [10]",
                        "1/1 UPDATED [11]");
    }

    /** For any distance between the tasks of a run. */
    @Test
    void steps_toldTogether_haveTheBytesOfStepsToldOneByOne() {
        int[] indexes = {7, 8, 9, 10, 12, 14, 16, 15, 14, 400, 800, 1_200, 1_201, 0, 5};
        ChangeWriter together = new ChangeWriter();
        ChangeWriter oneByOne = new ChangeWriter();
        TaskSteps steps = stop(TaskReason.KILLED);
        together.begin(2, 3, 4, null);
        oneByOne.begin(2, 3, 4, null);
        for (int index : indexes) {
            steps.add(index);
            oneByOne.tasksStepped(1, 0, stop(TaskReason.KILLED).add(index));
        }
        together.tasksStepped(1, 0, steps);
        together.taskAgain(1, 0, 6);
        oneByOne.taskAgain(1, 0, 6);
        together.end();
        oneByOne.end();
        assertThat(together.take()).isEqualTo(oneByOne.take());
    }

    private static TaskSteps stop(TaskReason reason) {
        return new TaskSteps().begin(TaskState.STOPPING, reason, ChangeSink.EXIT_CODE_NONE, 0, 0);
    }

    private static ChangeSink noting(List<String> read) {
        return new IgnoredChanges() {
            @Override
            public void tasksStepped(long job, int group, TaskSteps steps) {
                List<Integer> indexes = IntStream.range(0, steps.count())
                        .map(steps::index)
                        .boxed()
                        .toList();
                read.add(job + "/" + group + " " + steps.reason() + " " + indexes);
            }

            @Override
            public void taskAgain(long job, int group, int index) {
                read.add("again " + index);
            }
        };
    }

    @Test
    void step_thatDiffersInAnything_isAnother() {
        TaskSteps steps = new TaskSteps().begin(TaskState.FAILED, TaskReason.TIMEOUT, 1, 2, 3);
        assertThat(steps.isOf(TaskState.FAILED, TaskReason.TIMEOUT, 1, 2, 3)).isTrue();
        assertThat(steps.isOf(TaskState.LOST, TaskReason.TIMEOUT, 1, 2, 3)).isFalse();
        assertThat(steps.isOf(TaskState.FAILED, TaskReason.NONE, 1, 2, 3)).isFalse();
        assertThat(steps.isOf(TaskState.FAILED, TaskReason.TIMEOUT, 0, 2, 3)).isFalse();
        assertThat(steps.isOf(TaskState.FAILED, TaskReason.TIMEOUT, 1, 0, 3)).isFalse();
        assertThat(steps.isOf(TaskState.FAILED, TaskReason.TIMEOUT, 1, 2, 0)).isFalse();
    }

    /** Proves that the list of changes in this test is complete. */
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
        GroupPlacements placed = GroupPlacements.of(3, 17, 0);
        placed.add(4, 18, 1);
        placed.add(9, 17, 2);
        writer.begin(7, 1_000, 2_000, null);
        writer.tasksPlaced(5, 0, placed);
        writer.tasksPlaced(5, 1, GroupPlacements.of(0, 17, 3));
        writer.end();
        List<Integer> together = new ArrayList<>();
        new ChangeReader(new IgnoredChanges() {
                    @Override
                    public void tasksPlaced(long job, int group, GroupPlacements some) {
                        together.add(some.count());
                    }
                })
                .readFrames(writer.take());
        assertThat(together).containsExactly(3, 1);
    }

    @Test
    void runsOfTasks_areToldAhead_justBeforeTheSinkHears() {
        ChangeWriter writer = new ChangeWriter();
        writer.begin(2, 3, 4, null);
        writer.tasksStepped(1, 0, stop(TaskReason.KILLED).add(5));
        writer.tasksStepped(1, 0, stop(TaskReason.UPDATED).add(7));
        writer.tasksPlaced(1, 0, GroupPlacements.of(9, 17, 0));
        writer.end();
        List<String> heard = new ArrayList<>();
        new ChangeReader(hearing("sink", heard), hearing("ahead", heard)).readFrames(writer.take());
        assertThat(heard)
                .containsExactly(
                        "ahead steps 5",
                        "sink steps 5",
                        "ahead steps 7",
                        "sink steps 7",
                        "ahead places 9",
                        "sink places 9");
    }

    private static ChangeSink hearing(String name, List<String> heard) {
        return new IgnoredChanges() {
            @Override
            public void tasksStepped(long job, int group, TaskSteps steps) {
                heard.add(name + " steps " + steps.index(0));
            }

            @Override
            public void tasksPlaced(long job, int group, GroupPlacements placed) {
                heard.add(name + " places " + placed.index(0));
            }
        };
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
