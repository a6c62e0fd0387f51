package dev.cella.agent.runner;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The system calls that an isolated task may not make: those that change the machine, look into other processes, make
 * namespaces, or have been the way out of containers. The filter is a program for the kernel's packet machine. A denied call
 * fails with EPERM; a call that programs can do without fails with ENOSYS, so that they do.
 *
 * <h2>How it is loaded</h2>
 *
 * Java cannot load it into a process that it is about to start, and setpriv can from util-linux 2.41 on only. Perl can make
 * any system call, and nearly every Linux has it. A machine without it has no filter, and its row says so.
 *
 * @param arch the kernel's number of the processor's calls
 * @param prctl the number of the call that loads the filter
 * @param denied the numbers of the denied calls
 * @param absent the numbers of the calls that seem not to exist
 * @param cloneCall the number of clone, which must not make namespaces
 */
record SeccompFilter(int arch, int prctl, List<Integer> denied, List<Integer> absent, int cloneCall) {
    private static final String PERL = "perl";
    private static final long TRIAL_SECONDS = 20;

    /** Instructions of the program besides one for each call. */
    private static final int INSTRUCTIONS_BESIDE = 10;

    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_AT_LEAST = 0x35;
    private static final int JUMP_IF_ANY_BIT = 0x45;
    private static final int RETURN = 0x06;
    private static final int CALL_OFFSET = 0;
    private static final int ARCH_OFFSET = 4;
    private static final int FIRST_ARGUMENT_OFFSET = 16;
    private static final int ALLOW = 0x7fff0000;
    private static final int FAIL = 0x00050000;
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    /** Calls of the x32 kind have this bit. */
    private static final int X32 = 0x40000000;

    /** New namespaces of mounts, control groups, host names, IPC, users, processes and networks. */
    private static final int NEW_NAMESPACES = 0x7e020000;

    /** The denied calls, in the order of their numbers. The last two exist on x86 only. */
    private static final List<String> DENIED_NAMES = List.of(
            ("ptrace process_vm_readv process_vm_writev kcmp mount umount2 pivot_root chroot open_tree move_mount fsopen"
                            + " fsconfig fsmount fspick mount_setattr unshare setns init_module finit_module"
                            + " delete_module kexec_load kexec_file_load bpf perf_event_open userfaultfd add_key"
                            + " request_key keyctl open_by_handle_at swapon swapoff reboot sethostname setdomainname"
                            + " settimeofday clock_settime clock_adjtime acct quotactl syslog vhangup iopl ioperm")
                    .split(" "));

    private static final List<String> ABSENT_NAMES =
            List.of("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3");

    private static final Map<String, SeccompFilter> BY_PROCESSOR = Map.of(
            "amd64",
            new SeccompFilter(
                    0xc000003e,
                    157,
                    List.of(
                            101, 310, 311, 312, 165, 166, 155, 161, 428, 429, 430, 431, 432, 433, 442, 272, 308, 175,
                            313, 176, 246, 320, 321, 298, 323, 248, 249, 250, 304, 167, 168, 169, 170, 171, 164, 227,
                            305, 163, 179, 103, 153, 172, 173),
                    List.of(425, 426, 427, 435),
                    56),
            "aarch64",
            new SeccompFilter(
                    0xc00000b7,
                    167,
                    List.of(
                            117, 270, 271, 272, 40, 39, 41, 51, 428, 429, 430, 431, 432, 433, 442, 97, 268, 105, 273,
                            106, 104, 294, 280, 241, 282, 217, 218, 219, 265, 224, 225, 142, 161, 162, 170, 112, 266,
                            89, 60, 116, 58),
                    List.of(425, 426, 427, 435),
                    220));

    /** Loads the filter, given in hexadecimal digits, into itself and becomes the command after it. */
    private static final String LOADER = "my ($prctl, $hex) = splice @ARGV, 0, 2; my $filter = pack('H*', $hex);"
            + " my $program = pack('S x![P] P', length($filter) / 8, $filter);"
            + " syscall($prctl + 0, 22, 2, $program) == 0 or die \"cella: no seccomp filter: $!\\n\";"
            + " exec { $ARGV[0] } @ARGV or die \"cella: $ARGV[0]: $!\\n\";";

    /** The filter for this machine, after a trial; empty if it cannot be loaded. */
    static Optional<SeccompFilter> find() throws InterruptedException {
        SeccompFilter filter = BY_PROCESSOR.get(System.getProperty("os.arch"));
        return filter != null && Programs.findOwn(PERL).isPresent() && filter.works()
                ? Optional.of(filter)
                : Optional.empty();
    }

    private boolean works() throws InterruptedException {
        List<String> trial = new ArrayList<>(List.of("setpriv", "--no-new-privs", "--"));
        trial.addAll(loader());
        trial.add("/bin/true");
        try {
            Process process = new ProcessBuilder(trial)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = process.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            return ended && process.exitValue() == 0;
        } catch (IOException notExecutable) {
            return false;
        }
    }

    /** Put before a command, it runs the command under the filter. */
    List<String> loader() {
        return List.of(
                PERL, "-e", LOADER, Integer.toString(prctl), HexFormat.of().formatHex(program()));
    }

    /** The same rules as a member of an OCI configuration, for the programs that run images. */
    static String oci() {
        List<String> rules = new ArrayList<>();
        rules.add(rule(DENIED_NAMES, EPERM, ""));
        rules.add(rule(ABSENT_NAMES, ENOSYS, ""));
        for (int bit = Integer.lowestOneBit(NEW_NAMESPACES); bit > 0; bit <<= 1) {
            if ((NEW_NAMESPACES & bit) != 0) {
                String anyBit = ",\"args\":[{\"index\":0,\"value\":%d,\"valueTwo\":%d,\"op\":\"SCMP_CMP_MASKED_EQ\"}]";
                rules.add(rule(List.of("clone"), EPERM, anyBit.formatted(bit, bit)));
            }
        }
        return "\"seccomp\":{\"defaultAction\":\"SCMP_ACT_ALLOW\",\"syscalls\":[" + String.join(",", rules) + "]}";
    }

    private static String rule(List<String> names, int error, String arguments) {
        String quoted = names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(","));
        return "{\"names\":[" + quoted + "],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":" + error + arguments + "}";
    }

    /** The filter as the kernel reads it: eight bytes an instruction. */
    byte[] program() {
        int calls = denied.size() + absent.size();
        int toAllow = calls + 3;
        ByteBuffer out =
                ByteBuffer.allocate((calls + INSTRUCTIONS_BESIDE) * Long.BYTES).order(ByteOrder.nativeOrder());
        add(out, LOAD_WORD, 0, 0, ARCH_OFFSET);
        add(out, JUMP_IF_EQUAL, 0, toAllow + 4, arch);
        add(out, LOAD_WORD, 0, 0, CALL_OFFSET);
        add(out, JUMP_IF_AT_LEAST, toAllow + 2, 0, X32);
        int left = calls;
        for (int call : denied) {
            add(out, JUMP_IF_EQUAL, left + 3, 0, call);
            left--;
        }
        for (int call : absent) {
            add(out, JUMP_IF_EQUAL, left + 4, 0, call);
            left--;
        }
        add(out, JUMP_IF_EQUAL, 0, 2, cloneCall);
        add(out, LOAD_WORD, 0, 0, FIRST_ARGUMENT_OFFSET);
        add(out, JUMP_IF_ANY_BIT, 1, 0, NEW_NAMESPACES);
        add(out, RETURN, 0, 0, ALLOW);
        add(out, RETURN, 0, 0, FAIL | EPERM);
        add(out, RETURN, 0, 0, FAIL | ENOSYS);
        return out.array();
    }

    private static void add(ByteBuffer out, int code, int ifTrue, int ifFalse, int operand) {
        out.putShort((short) code);
        out.put((byte) ifTrue);
        out.put((byte) ifFalse);
        out.putInt(operand);
    }
}
