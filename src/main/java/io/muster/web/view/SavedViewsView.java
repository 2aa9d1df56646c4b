package io.muster.web.view;

import java.util.List;

/** The views of the list of jobs that the reader keeps; replaced as a whole with If-Match (0: none were ever kept). */
public record SavedViewsView(List<Saved> views, long version) {

    /** {@code query}: what stands behind the question mark of its address. */
    public record Saved(String name, String query) {}

    public record Body(List<Saved> views) {}
}
