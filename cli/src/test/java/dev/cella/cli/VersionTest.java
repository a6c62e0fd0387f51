package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VersionTest {
    @Test
    void current_isWhatTheBuildWroteDown() {
        assertThat(Version.current()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }
}
