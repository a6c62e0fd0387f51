package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The filter's program, run by a machine of this test's own. */
class SeccompFilterTest {
    private static final int ARCH = 0xc000003e;
    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;
    private static final SeccompFilter FILTER = new SeccompFilter(ARCH, 157, List.of(101, 165), List.of(425, 435), 56);

    private static int decide(int call, int arch, int argument) {
        ByteBuffer program = ByteBuffer.wrap(FILTER.program()).order(ByteOrder.nativeOrder());
        int value = 0;
        for (int place = 0; place < program.capacity() / Long.BYTES; place++) {
            int at = place * Long.BYTES;
            int ifTrue = program.get(at + 2);
            int ifFalse = program.get(at + 3);
            int operand = program.getInt(at + 4);
            switch (program.getShort(at)) {
                case 0x20 -> value = operand == 0 ? call : operand == 4 ? arch : argument;
                case 0x15 -> place += value == operand ? ifTrue : ifFalse;
                case 0x35 -> place += Integer.compareUnsigned(value, operand) >= 0 ? ifTrue : ifFalse;
                case 0x45 -> place += (value & operand) != 0 ? ifTrue : ifFalse;
                case 0x06 -> {
                    return operand;
                }
                default -> fail("no such instruction at " + place);
            }
        }
        return fail("the program has no end");
    }

    @Test
    void calls_areDeniedAbsentOrAllowed() {
        assertThat(decide(101, ARCH, 0)).isEqualTo(EPERM);
        assertThat(decide(165, ARCH, 0)).isEqualTo(EPERM);
        assertThat(decide(425, ARCH, 0)).isEqualTo(ENOSYS);
        assertThat(decide(435, ARCH, 0)).isEqualTo(ENOSYS);
        assertThat(decide(59, ARCH, 0)).isEqualTo(ALLOW);
    }

    @Test
    void clone_makesThreadsAndProcesses_andNoNamespaces() {
        assertThat(decide(56, ARCH, 0x11)).isEqualTo(ALLOW);
        assertThat(decide(56, ARCH, 0x10000011)).isEqualTo(EPERM);
    }

    @Test
    void callsOfAnotherKindOfProcessor_areAbsent() {
        assertThat(decide(59, 0x40000003, 0)).isEqualTo(ENOSYS);
        assertThat(decide(0x40000000 + 59, ARCH, 0)).isEqualTo(ENOSYS);
    }
}
