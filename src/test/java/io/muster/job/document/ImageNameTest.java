package io.muster.job.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageNameTest {

    @ParameterizedTest
    @CsvSource({
        "train, docker.io, library/train",
        "team/train:1, docker.io, team/train",
        "docker.io/train, docker.io, library/train",
        "index.docker.io/team/train, docker.io, team/train",
        "images.example/train:1.4, images.example, train",
        "IMAGES.example:5000/a/b:v@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, images.example:5000, a/b",
        "localhost/train, localhost, train"
    })
    void namesAreNormalised(String text, String registry, String repository) {
        assertThat(ImageName.parse(text)).contains(new ImageName(registry, repository));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "/a",
                "a/",
                "a//b",
                "Team/train",
                "a:",
                "a@sha256:12",
                "images.example/",
                "a/../b",
                "http://x/y",
                "-a",
                "a\nb",
                "a:tag with space",
                "x.y/a@b@sha256"
            })
    void nonsenseIsNoImage(String text) {
        assertThat(ImageName.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "images.example/team/train:1, images.example, true",
        "images.example/team/train:1, images.example/team, true",
        "images.example/team/train:1, images.example/team/*, true",
        "images.example/team/train:1, images.example/team/train, true",
        "images.example/team-evil/train, images.example/team, false",
        "images.example.evil/team/train, images.example, false",
        "evil.example/images.example/team, images.example, false",
        "evil.example/allowed, allowed, false",
        "allowed, allowed, true",
        "docker.io/library/allowed, allowed, true",
        "pytorch/pytorch:2, pytorch/pytorch, true",
        "pytorch/pytorch:2, docker.io, true",
        "images.example:5000/a, images.example, false"
    })
    void anAllowlistComparesParts(String image, String entry, boolean allowed) {
        assertThat(ImageName.parse(image).orElseThrow().allowedBy(entry)).isEqualTo(allowed);
    }
}
