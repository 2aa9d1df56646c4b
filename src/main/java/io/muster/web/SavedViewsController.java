package io.muster.web;

import io.muster.security.Caller;
import io.muster.tenancy.SavedViews;
import io.muster.web.problem.ETags;
import io.muster.web.view.SavedViewsView;
import io.muster.web.view.SavedViewsView.Saved;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Views of the list of jobs that one keeps for oneself. */
@RestController
@RequestMapping("/api/v1/me/views")
class SavedViewsController {
    private final SavedViews views;

    SavedViewsController(SavedViews views) {
        this.views = views;
    }

    @GetMapping
    ResponseEntity<SavedViewsView> get(Caller caller) {
        SessionController.bySession(caller);
        return answer(views.of(caller.reader().user()));
    }

    @PutMapping
    ResponseEntity<SavedViewsView> keep(
            @RequestBody SavedViewsView.Body body,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            Caller caller) {
        SessionController.bySession(caller);
        var wanted = body.views().stream()
                .map(v -> new SavedViews.View(v.name().strip(), v.query()))
                .toList();
        return answer(views.keep(caller.reader().user(), wanted, ETags.required(ifMatch)));
    }

    private static ResponseEntity<SavedViewsView> answer(SavedViews.Kept kept) {
        var saved =
                kept.views().stream().map(v -> new Saved(v.name(), v.query())).toList();
        return ResponseEntity.ok().eTag(ETags.of(kept.version())).body(new SavedViewsView(saved, kept.version()));
    }
}
