package dev.cella.scheduling.plugin;

import java.util.List;

/**
 * Everything outside its own jar that a plug-in sees: the JDK, slf4j, {@code transactions}, and the packages of {@code
 * scheduling} that are its stable surface, the scheduler's interface and the placement language. It sees nothing else of ours,
 * so that we can change it, and none of our libraries, so that a plug-in can bring another version of any of them.
 *
 * <p>This loader stands between the plug-in's class loader and the one that loaded Cella, and admits names by their package.
 * It finds only the JDK's resources: the providers on our class path are not the jar's.
 */
final class PublicSurface extends ClassLoader {
    private static final List<String> PACKAGES = List.of("dev.cella.scheduling", "dev.cella.scheduling.placement");
    private static final List<String> TREES = List.of("dev.cella.transactions", "org.slf4j");

    /** Rooms of the cell that are public for each other only. */
    private static final List<String> HIDDEN = List.of(
            "dev.cella.transactions.cell.commands",
            "dev.cella.transactions.cell.rule",
            "dev.cella.transactions.cell.pages");

    private final ClassLoader cella;

    PublicSurface(ClassLoader cella) {
        super(ClassLoader.getPlatformClassLoader());
        this.cella = cella;
    }

    /** Called for classes that are not in the JDK. */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!shows(name)) {
            throw new ClassNotFoundException(name);
        }
        return cella.loadClass(name);
    }

    private static boolean shows(String className) {
        String itsPackage = className.substring(0, Math.max(0, className.lastIndexOf('.')));
        return PACKAGES.contains(itsPackage) || (isInTree(itsPackage) && !HIDDEN.contains(itsPackage));
    }

    private static boolean isInTree(String itsPackage) {
        return TREES.stream().anyMatch(tree -> itsPackage.equals(tree) || itsPackage.startsWith(tree + "."));
    }
}
