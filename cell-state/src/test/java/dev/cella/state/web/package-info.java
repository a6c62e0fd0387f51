/** The doors, over real connections to a real server. */
@NullMarked
package dev.cella.state.web;

import org.jspecify.annotations.NullMarked;
