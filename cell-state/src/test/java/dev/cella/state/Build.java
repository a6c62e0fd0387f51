package dev.cella.state;

import dev.cella.state.BuiltReplica.Starter;
import dev.cella.transactions.codec.EntryCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A build of the program that a test starts replicas of. */
final class Build {
    /** The build under test. */
    static final Build NEWEST = new Build("newest", EntryCodec.FEATURE_LEVEL_MAX, ReplicaOfThisBuild.OfThisBuild::new);

    /** The last build before the newest feature level. {@link GoldenBuildTest} says how its jar is made. */
    static final Build BEFORE = new Build("before", 11, () -> load("builds/level-11.jar.gz"));

    private final String name;
    private final int levelMax;
    private final Supplier<Starter> loading;
    private @Nullable Starter starter;

    private Build(String name, int levelMax, Supplier<Starter> loading) {
        this.name = name;
        this.levelMax = levelMax;
        this.loading = loading;
    }

    /** The newest feature level that it knows. */
    int levelMax() {
        return levelMax;
    }

    /** The same one each time: a build is loaded once. */
    synchronized Starter starter() {
        if (starter == null) {
            starter = loading.get();
        }
        return starter;
    }

    @Override
    public String toString() {
        return name;
    }

    private static Starter load(String jar) {
        try {
            return (Starter) new BuildLoader(unpack(jar))
                    .loadClass(ReplicaOfThisBuild.OfThisBuild.class.getName())
                    .getConstructor()
                    .newInstance();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot load " + jar, failure);
        }
    }

    private static Path unpack(String jar) throws IOException {
        Path unpacked = Files.createTempFile("build", ".jar");
        unpacked.toFile().deleteOnExit();
        try (InputStream packed = Objects.requireNonNull(Build.class.getResourceAsStream(jar), jar);
                InputStream bytes = new GZIPInputStream(packed)) {
            Files.write(unpacked, bytes.readAllBytes());
        }
        return unpacked;
    }

    /** Takes Cella's classes from the jar alone, and all others, the libraries among them, from the test's class path. */
    private static final class BuildLoader extends URLClassLoader {
        BuildLoader(Path jar) throws MalformedURLException {
            super(new URL[] {jar.toUri().toURL()}, Build.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.cella.") || name.startsWith(BuiltReplica.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }

        @Override
        public @Nullable URL getResource(String name) {
            URL own = findResource(name);
            return own == null ? super.getResource(name) : own;
        }
    }
}
