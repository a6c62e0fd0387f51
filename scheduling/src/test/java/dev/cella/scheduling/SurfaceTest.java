package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.placement.GroupPlacement;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The API that a scheduler's jar may be built against, as a listing in the tree. A removed or changed line breaks existing
 * jars: raise {@link SchedulerApi#VERSION} and begin a listing for it. {@code -Dcella.surface=write} writes new lines, which
 * are reviewed in the diff.
 */
class SurfaceTest {
    private static final Path LISTING = Path.of("src/test/resources/surface-" + SchedulerApi.VERSION + ".txt");
    private static final List<Class<?>> ROOMS = List.of(Scheduler.class, GroupPlacement.class);

    @Test
    void surface_isTheOneOfItsVersion() throws IOException {
        List<String> now = surface();
        if ("write".equals(System.getProperty("cella.surface"))) {
            Files.createDirectories(LISTING.getParent());
            Files.write(LISTING, now);
        }
        assertThat(now)
                .as("the surface is another one than %s says: see the Javadoc of this test", LISTING)
                .isEqualTo(Files.readAllLines(LISTING));
    }

    private static List<String> surface() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Class<?> one : ROOMS) {
            for (Class<?> each : publicClassesBeside(one)) {
                lines.add(declaration(each));
                lines.addAll(members(each));
            }
        }
        return lines;
    }

    private static List<String> members(Class<?> of) {
        TreeSet<String> members = new TreeSet<>();
        Stream<Executable> executables =
                Stream.concat(Arrays.stream(of.getDeclaredConstructors()), Arrays.stream(of.getDeclaredMethods()));
        executables
                .filter(member -> isSeen(member.getModifiers()) && !member.isSynthetic())
                .map(SurfaceTest::text)
                .forEach(members::add);
        for (Field field : of.getDeclaredFields()) {
            if (isSeen(field.getModifiers()) && !field.isSynthetic()) {
                members.add("    " + field.toGenericString());
            }
        }
        return List.copyOf(members);
    }

    private static String text(Executable member) {
        String returns = member instanceof Method method ? " : " + method.getGenericReturnType() : "";
        String parameters = Arrays.stream(member.getGenericParameterTypes())
                .map(Object::toString)
                .collect(Collectors.joining(", "));
        String isStatic = Modifier.isStatic(member.getModifiers()) ? "static " : "";
        return "    " + isStatic + member.getName() + "(" + parameters + ")" + returns;
    }

    /** JDK 17 does not print that a class is sealed, and later ones do. */
    private static String declaration(Class<?> each) {
        return each.toGenericString().replace("non-sealed ", "").replace("sealed ", "");
    }

    private static boolean isSeen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static List<Class<?>> publicClassesBeside(Class<?> one) throws IOException {
        Path folder = folder(one);
        List<String> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.startsWith("package-info"))
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .sorted()
                    .toList();
        }
        List<Class<?>> classes = new ArrayList<>();
        for (String file : files) {
            Class<?> each = load(one.getPackageName() + "." + file);
            boolean isPublic = Modifier.isPublic(each.getModifiers())
                    && (each.getEnclosingClass() == null
                            || Modifier.isPublic(each.getEnclosingClass().getModifiers()));
            if (isPublic && !each.isAnonymousClass()) {
                classes.add(each);
            }
        }
        return classes;
    }

    /** The folder that the class was loaded from. Each JDK has its own build. */
    private static Path folder(Class<?> one) {
        try {
            URL file = Objects.requireNonNull(one.getResource(one.getSimpleName() + ".class"));
            return Objects.requireNonNull(Path.of(file.toURI()).getParent());
        } catch (URISyntaxException impossible) {
            throw new AssertionError(one.getName(), impossible);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException impossible) {
            throw new AssertionError(name, impossible);
        }
    }
}
