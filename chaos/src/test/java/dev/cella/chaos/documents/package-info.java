/** The documents are held to what is there: see {@link dev.cella.chaos.documents.LinksTest}. */
@NullMarked
package dev.cella.chaos.documents;

import org.jspecify.annotations.NullMarked;
