package dev.cella.cli.terminal;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.ProtocolMessageEnum;
import com.google.protobuf.Timestamp;
import dev.cella.client.proto.Common;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;

/** Amounts, times and states for people; {@code -o json} has the exact numbers. */
public final class Words {
    private static final double MIB_PER_GIB = 1024;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final Pattern CAMEL_HUMP = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private Words() {}

    /** {@code 1500} is {@code 1.5}: cores. */
    public static String cores(long cpuMilli) {
        return decimals(cpuMilli / 1000.0, 3);
    }

    public static String memory(long mib) {
        return mib < MIB_PER_GIB ? mib + " MiB" : decimals(mib / MIB_PER_GIB, 1) + " GiB";
    }

    /** A number of bytes, in MiB or GiB from a tenth of a MiB on. */
    public static String bytes(long bytes) {
        double mib = bytes / BYTES_PER_MIB;
        if (mib < 0.1) {
            return plural(bytes, "byte");
        }
        return mib < MIB_PER_GIB ? decimals(mib, 1) + " MiB" : decimals(mib / MIB_PER_GIB, 1) + " GiB";
    }

    /** Never negative: the clocks of two machines may differ. */
    public static String duration(Duration between) {
        Duration duration = between.isNegative() ? Duration.ZERO : between;
        double seconds = duration.toMillis() / 1000.0;
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        long minutes = duration.toMinutes();
        return minutes < 60
                ? minutes + " min " + duration.toSecondsPart() + " s"
                : duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }

    public static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    /** To the second, in UTC. */
    public static String time(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds()).toString();
    }

    public static String plural(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** The value of an enumeration as JSON has it: {@code JOB_STATE_RUNNING} is {@code RUNNING}. */
    public static String word(ProtocolMessageEnum value) {
        EnumDescriptor type = value.getDescriptorForType();
        String prefix = CAMEL_HUMP.matcher(type.getName()).replaceAll("_").toUpperCase(Locale.ROOT) + "_";
        String word = value.getValueDescriptor().getName().substring(prefix.length());
        return type.getOptions().getExtension(Common.lowerCaseWords) ? word.toLowerCase(Locale.ROOT) : word;
    }

    private static String decimals(double number, int places) {
        String text = String.format(Locale.ROOT, "%." + places + "f", number);
        return text.replaceAll("\\.?0+$", "");
    }
}
