package io.muster.story;

class PreemptionStoryTest extends PreemptionStory {
    @Override
    World world(int gpus) {
        return World.virtual(gpus);
    }
}
