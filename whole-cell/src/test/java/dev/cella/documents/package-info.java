/** Tests that the documents match the code: see {@link dev.cella.documents.LinksTest}. */
@NullMarked
package dev.cella.documents;

import org.jspecify.annotations.NullMarked;
