/** The documents are held to what is there: see {@link dev.cella.documents.LinksTest}. */
@NullMarked
package dev.cella.documents;

import org.jspecify.annotations.NullMarked;
