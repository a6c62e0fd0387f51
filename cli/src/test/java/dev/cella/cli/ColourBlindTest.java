package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;

/**
 * The squares of the map have no words, so their states are told apart by more than their colours. The browser draws them as
 * somebody with a colour deficiency sees them. Two squares are compared by lightness alone, pixel by pixel: a shape counts, a
 * hue does not.
 */
@EnabledOnOs(OS.LINUX)
final class ColourBlindTest {
    /** The least difference that counts. Black and white are 100 apart. */
    private static final double APART = 8;

    private static final List<String> VISIONS = List.of("deuteranopia", "protanopia", "achromatopsia");

    /** Draws a machine of each status, as full as the others, and answers where: {@code name, x, y, width, height}. */
    private static final String SAMPLES = """
            import('/dashboard/map.js').then(({MachineMap}) => {
              const view = document.querySelector('#view');
              view.replaceChildren();
              const machines = new Map(['READY', 'DRAINING', 'DOWN'].map(status => [status,
                {name: status, status, capacity: {cpuMilli: 100}, free: {cpuMilli: 50}, attributes: {}, taskCount: 1}]));
              const map = new MachineMap(() => {});
              view.append(map.root);
              map.draw({machines, members: 1});
              const box = map.canvas.getBoundingClientRect();
              return JSON.stringify([...machines.keys()].map(name => {
                const at = map.squareOf(name);
                return [name, box.x + at.x, box.y + at.y, map.side, map.side];
              }));
            })""";

    @TempDir(deletionStrategy = TempDirDeletionStrategy.IgnoreFailures.class)
    private Path folder;

    private record Sample(String name, BufferedImage square) {
        static Sample of(JsonNode place, BufferedImage picture) {
            int left = place.get(1).asInt();
            int top = place.get(2).asInt();
            int width = place.get(3).asInt();
            int height = place.get(4).asInt();
            return new Sample(place.get(0).asText(), picture.getSubimage(left, top, width, height));
        }

        double apartFrom(Sample other) {
            double sum = 0;
            for (int y = 0; y < square.getHeight(); y++) {
                for (int x = 0; x < square.getWidth(); x++) {
                    sum += Math.abs(lightnessOf(square.getRGB(x, y)) - lightnessOf(other.square.getRGB(x, y)));
                }
            }
            return sum / (square.getWidth() * square.getHeight());
        }
    }

    @Test
    void machinesOfTheMap_areToldApart_withoutTheirColours() throws Exception {
        assumeTrue(Browser.installed().isPresent(), "NO CHROMIUM IS INSTALLED: the console was not looked at");
        List<String> alike = new ArrayList<>();
        try (RecordedConsole console = new RecordedConsole();
                Browser browser = Browser.start(Browser.installed().orElseThrow())) {
            browser.open(console.address() + "#/calls", 1024, 700, "light");
            await().until(() -> browser.evaluate(
                            "document.querySelector('#view td') !== null && document.querySelector('#connection').dataset.state")
                    .equals("live"));
            for (String colours : List.of("light", "dark")) {
                browser.resize(1024, 700, colours);
                JsonNode places = new ObjectMapper().readTree(browser.evaluate(SAMPLES));
                assertThat(places).as("samples").hasSize(3);
                for (String vision : VISIONS) {
                    browser.vision(vision);
                    Path file = folder.resolve(colours + vision + ".png");
                    browser.picture(file);
                    BufferedImage picture = ImageIO.read(file.toFile());
                    alike(places, picture).forEach(pair -> alike.add(colours + ", " + vision + ": " + pair));
                }
            }
        }
        assertThat(alike)
                .as("states that differ by less than %s of 100 in lightness", APART)
                .isEmpty();
    }

    @Test
    void lightness_isThatOfTheEye() {
        assertThat(lightnessOf(0xffffff)).isCloseTo(100, within(0.1));
        assertThat(lightnessOf(0x777777)).isCloseTo(50, within(0.5));
        assertThat(lightnessOf(0x000000)).isZero();
    }

    private static List<String> alike(JsonNode places, BufferedImage picture) {
        List<Sample> samples = new ArrayList<>();
        List<String> alike = new ArrayList<>();
        for (JsonNode place : places) {
            Sample sample = Sample.of(place, picture);
            for (Sample before : samples) {
                double apart = before.apartFrom(sample);
                if (apart < APART) {
                    alike.add("%s and %s by %.1f".formatted(before.name(), sample.name(), apart));
                }
            }
            samples.add(sample);
        }
        return alike;
    }

    /** The lightness L* of CIELAB. */
    private static double lightnessOf(int colour) {
        double luminance = 0.2126 * linear(colour >> 16 & 0xff)
                + 0.7152 * linear(colour >> 8 & 0xff)
                + 0.0722 * linear(colour & 0xff);
        return luminance > 0.008856 ? 116 * Math.cbrt(luminance) - 16 : 903.3 * luminance;
    }

    private static double linear(int channel) {
        double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }
}
