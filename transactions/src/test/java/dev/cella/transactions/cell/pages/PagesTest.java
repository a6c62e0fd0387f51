package dev.cella.transactions.cell.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pages of rows: a write to one copy is invisible in the others, and a page that nobody wrote is one object. */
class PagesTest {
    private static final int ROW_BITS = 2;
    private static final int OF_NEXT_PAGE = 1 << ROW_BITS;

    private final WordPages words = new WordPages(2, ROW_BITS);
    private final RefPages<String> values = new RefPages<>(ROW_BITS);

    @Test
    void pageThatIsWritten_leavesTheOthersBlank() {
        words.reach(OF_NEXT_PAGE);
        words.set(0, 1, 7);
        assertThat(words.word(0, 1)).isEqualTo(7);
        assertThat(words.word(OF_NEXT_PAGE, 1)).isZero();
        words.reach(2 * OF_NEXT_PAGE);
        assertThat(words.word(2 * OF_NEXT_PAGE, 1)).isZero();
    }

    @Test
    void copy_staysAsItWas_howeverOftenItsPagesAreWritten() {
        words.reach(OF_NEXT_PAGE);
        words.set(0, 0, 1);
        WordPages copy = words.copy();
        words.set(0, 0, 2);
        words.set(0, 1, 3);
        words.set(OF_NEXT_PAGE, 0, 4);
        assertThat(copy.word(0, 0)).isEqualTo(1);
        assertThat(copy.word(0, 1)).isZero();
        assertThat(copy.word(OF_NEXT_PAGE, 0)).isZero();
        WordPages later = words.copy();
        words.set(0, 0, 5);
        assertThat(later.word(0, 0)).isEqualTo(2);
        assertThat(copy.word(0, 0)).isEqualTo(1);
        assertThat(words.word(0, 0)).isEqualTo(5);
    }

    @Test
    void page_isClonedOnce_betweenTwoCopies() {
        words.reach(0);
        words.set(0, 0, 1);
        words.copy();
        words.set(0, 0, 2);
        long[] page = words.page(0);
        words.set(0, 0, 3);
        assertThat(words.page(0)).isSameAs(page);
        words.copy();
        words.set(0, 0, 4);
        assertThat(words.page(0)).isNotSameAs(page);
    }

    @Test
    void pagesThatComeAfterACopy_areNoneOfIt() {
        words.reach(0);
        words.set(0, 0, 1);
        WordPages copy = words.copy();
        words.reach(9 * OF_NEXT_PAGE);
        words.set(9 * OF_NEXT_PAGE, 0, 9);
        words.set(0, 0, 2);
        assertThat(copy.pages()).isEqualTo(1);
        assertThat(copy.word(0, 0)).isEqualTo(1);
        assertThat(words.word(9 * OF_NEXT_PAGE, 0)).isEqualTo(9);
        assertThat(words.word(8 * OF_NEXT_PAGE, 0)).isZero();
    }

    @Test
    void copyOfACopy_isWrittenByNobody() {
        words.reach(0);
        words.set(0, 0, 1);
        WordPages copy = words.copy();
        WordPages second = copy.copy();
        copy.set(0, 0, 2);
        assertThat(second.word(0, 0)).isEqualTo(1);
        assertThat(words.word(0, 0)).isEqualTo(1);
    }

    @Test
    void page_isTheSame_untilItIsWritten() {
        words.reach(OF_NEXT_PAGE);
        words.set(0, 0, 1);
        WordPages before = words.copy();
        words.reach(2 * OF_NEXT_PAGE);
        words.set(OF_NEXT_PAGE, 0, 1);
        WordPages after = words.copy();
        assertThat(after.isSame(0, before)).isTrue();
        assertThat(after.isSame(1, before)).isFalse();
        assertThat(after.isSame(2, before)).isFalse();
    }

    @Test
    void values_areThoseOfTheirCopy() {
        values.reach(OF_NEXT_PAGE);
        values.set(0, "first");
        RefPages<String> copy = values.copy();
        values.set(0, "second");
        values.set(OF_NEXT_PAGE, "new");
        values.reach(9 * OF_NEXT_PAGE);
        values.set(9 * OF_NEXT_PAGE, "far");
        assertThat(copy.get(0)).isEqualTo("first");
        assertThat(copy.get(OF_NEXT_PAGE)).isNull();
        assertThat(values.get(0)).isEqualTo("second");
        assertThat(values.get(9 * OF_NEXT_PAGE)).isEqualTo("far");
        RefPages<String> later = values.copy();
        values.set(0, "third");
        values.set(0, "fourth");
        assertThat(later.get(0)).isEqualTo("second");
        assertThat(later.isSame(0, copy)).isFalse();
        assertThat(values.copy().isSame(1, later)).isTrue();
    }
}
