package io.muster.story;

class GangStoryTest extends GangStory {
    @Override
    World world(int gpus) {
        return World.virtual(gpus);
    }
}
