/** How a path finds its call. */
@NullMarked
package dev.cella.state.web.http;

import org.jspecify.annotations.NullMarked;
