package io.muster.web;

import io.muster.policy.PolicyAdmin;
import io.muster.policy.PolicyBook;
import io.muster.policy.PolicyRevision;
import io.muster.tenancy.Reader;
import io.muster.web.view.PolicyView;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Revisions of the scheduling policy. Everybody may read by which rules they are scheduled. */
@RestController
@RequestMapping("/api/v1/policies")
class PolicyController {
    private static final int SHOWN = 100;

    private final PolicyBook book;
    private final PolicyAdmin admin;

    PolicyController(PolicyBook book, PolicyAdmin admin) {
        this.book = book;
        this.admin = admin;
    }

    @GetMapping
    List<PolicyView> list(Reader reader) {
        return admin.revisions(SHOWN).stream().map(PolicyController::view).toList();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    PolicyView revise(@RequestBody PolicyView.Body body, Reader reader) {
        TeamGate.platformAdmin(reader);
        var values = PolicyValuesForm.read(book.current().values(), body.values());
        return view(admin.revise(reader.user(), reader.username(), values, body.why()));
    }

    private static PolicyView view(PolicyRevision r) {
        return new PolicyView(r.number(), PolicyValuesForm.write(r.values()), r.since(), r.by(), r.why());
    }
}
