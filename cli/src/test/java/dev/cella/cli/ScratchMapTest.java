package dev.cella.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScratchMapTest {
    @TempDir
    Path folder;

    @Test
    void map() throws Exception {
        try (RecordedConsole console = new RecordedConsole()) {
            console.grow(130_000, 10, 10);
            long t = System.nanoTime();
            try (Browser browser = Browser.start(Browser.installed().orElseThrow(), folder.resolve("profile"))) {
                browser.open(console.address(), 1024, 1400, "light");
                for (int i = 0; i < 200; i++) {
                    if (browser.evaluate("document.querySelector('.map canvas')?.getAttribute('aria-label') ?? ''")
                            .contains("130,000")) break;
                    Thread.sleep(100);
                }
                System.out.println("W2 up after ms " + (System.nanoTime() - t) / 1000000);
                System.out.println(
                        "W2 "
                                + browser.evaluate(
                                        "(() => { const c = document.querySelector('.map canvas'); return c.clientWidth + 'x' + c.clientHeight + ' ' + c.getAttribute('aria-label'); })()"));
                browser.picture(Path.of("/tmp/w2pics/one.png"));
                String move =
                        "(() => { const c = document.querySelector('.map canvas'); const b = c.getBoundingClientRect(); const t = performance.now();"
                                + " for (let i = 0; i < 20; i++) { c.dispatchEvent(new PointerEvent('pointermove', {clientX: b.left + 50 + 10 * i, clientY: b.top + 60, bubbles: true})); }"
                                + " c.getContext('2d').getImageData(0,0,1,1); return (performance.now() - t) / 20 + ' ms a move; ' + document.querySelector('.detail').textContent; })()";
                System.out.println("W2 move " + browser.evaluate(move));
                String wheel =
                        "(() => { const c = document.querySelector('.map canvas'); const b = c.getBoundingClientRect(); const t = performance.now();"
                                + " for (let i = 0; i < 9; i++) c.dispatchEvent(new WheelEvent('wheel', {ctrlKey: true, deltaY: -100, clientX: b.left + 400, clientY: b.top + 300, bubbles: true, cancelable: true}));"
                                + " c.getContext('2d').getImageData(0,0,1,1); return (performance.now() - t) / 9 + ' ms a zoom'; })()";
                String at =
                        "(() => { const c = document.querySelector('.map canvas'); const b = c.getBoundingClientRect();"
                                + " c.dispatchEvent(new PointerEvent('pointermove', {clientX: b.left + 400, clientY: b.top + 300, bubbles: true})); return document.querySelector('.detail').textContent; })()";
                System.out.println("W2 at " + browser.evaluate(at));
                System.out.println("W2 " + browser.evaluate(wheel));
                System.out.println("W2 at " + browser.evaluate(at));
                browser.picture(Path.of("/tmp/w2pics/zoom.png"));
                System.out.println("W2 pan "
                        + browser.evaluate(wheel.replace("ctrlKey: true, deltaY: -100", "deltaY: 500")
                                .replace("a zoom", "a pan")));
                System.out.println("W2 at " + browser.evaluate(at));
                browser.picture(Path.of("/tmp/w2pics/pan.png"));
                browser.evaluate("document.querySelector('.map canvas').focus()");
                System.out.println("W2 complaints " + browser.complaints());
            }
        }
    }
}
