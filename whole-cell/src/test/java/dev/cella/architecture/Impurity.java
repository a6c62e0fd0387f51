package dev.cella.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of the JDK that a decision must not use, because their results differ between times and places. A star stands for
 * any characters. {@code Set.of} and {@code Map.of}, whose order changes with each start of the JVM, cannot be distinguished
 * from harmless uses here: look things up in them, never iterate over them.
 */
final class Impurity {
    private static final Predicate<String> CLOCK_MEMBERS = oneOf(
            "java.lang.System.currentTimeMillis()",
            "java.lang.System.nanoTime()",
            "java.time.*.now(*",
            "java.time.Clock.system*",
            "java.time.InstantSource.system*",
            "java.util.Date.<init>()");

    private static final Predicate<String> UNSEEDED_MEMBERS = oneOf(
            "java.lang.Math.random()",
            "java.lang.StrictMath.random()",
            "java.lang.System.identityHashCode(*",
            "java.security.SecureRandom.*",
            "java.util.Collections.shuffle(java.util.List)",
            "java.util.Random.<init>()",
            "java.util.SplittableRandom.<init>()",
            "java.util.UUID.randomUUID()",
            "java.util.concurrent.ThreadLocalRandom.*",
            "java.util.random.RandomGenerator.getDefault()",
            "java.util.random.RandomGenerator.of(*",
            "java.util.random.RandomGeneratorFactory.create()");

    private static final Predicate<String> THREAD_TYPES =
            oneOf("java.lang.Thread*", "java.util.Timer*", "java.util.concurrent.*");
    private static final Predicate<String> HARMLESS_CONCURRENT_TYPES = oneOf("java.util.concurrent.TimeUnit");
    private static final Predicate<String> THREAD_MEMBERS = oneOf(
            "*.wait()",
            "*.wait(long*",
            "*.notify()",
            "*.notifyAll()",
            "java.util.*.parallelStream()",
            "java.util.stream.*.parallel()",
            "java.util.Arrays.parallel*");

    private static final Predicate<String> INPUT_OUTPUT_TYPES = oneOf(
            "java.io.Console",
            "java.io.File*",
            "java.io.PrintStream",
            "java.io.RandomAccessFile",
            "java.lang.Process*",
            "java.lang.Runtime",
            "java.net.*",
            "java.nio.channels.*",
            "java.nio.file.*");
    private static final Predicate<String> SYSTEM_MEMBERS = oneOf("java.lang.System.*");
    private static final Predicate<String> HARMLESS_SYSTEM_MEMBERS = oneOf("java.lang.System.arraycopy(*");

    private Impurity() {}

    static DescribedPredicate<JavaAccess<?>> readsAClock() {
        return members("reads a clock", CLOCK_MEMBERS);
    }

    static DescribedPredicate<JavaAccess<?>> drawsWithoutASeed() {
        return members("draws without a seed", UNSEEDED_MEMBERS);
    }

    static DescribedPredicate<JavaClass> areForThreads() {
        return types("are for threads", THREAD_TYPES.and(HARMLESS_CONCURRENT_TYPES.negate()));
    }

    static DescribedPredicate<JavaAccess<?>> startsOrAwaitsThreads() {
        return members("starts or awaits threads", THREAD_MEMBERS);
    }

    static DescribedPredicate<JavaClass> areForInputOrOutput() {
        return types("are for input or output", INPUT_OUTPUT_TYPES);
    }

    static DescribedPredicate<JavaAccess<?>> asksTheMachine() {
        return members("asks the machine it runs on", SYSTEM_MEMBERS.and(HARMLESS_SYSTEM_MEMBERS.negate()));
    }

    private static DescribedPredicate<JavaAccess<?>> members(String description, Predicate<String> names) {
        return describe(description, access -> names.test(access.getTarget().getFullName()));
    }

    private static DescribedPredicate<JavaClass> types(String description, Predicate<String> names) {
        return describe(description, type -> names.test(type.getName()));
    }

    private static Predicate<String> oneOf(String... patterns) {
        String anyPattern = Stream.of(patterns).map(Impurity::expression).collect(Collectors.joining("|"));
        return Pattern.compile(anyPattern).asMatchPredicate();
    }

    private static String expression(String pattern) {
        return Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    }
}
