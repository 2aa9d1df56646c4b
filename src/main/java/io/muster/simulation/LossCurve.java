package io.muster.simulation;

/**
 * A loss that falls by a power law to a floor, with noise that shrinks as it falls: the shape that scaling laws give
 * (Kaplan et al., 2020). A function of the step alone, so that a resumed attempt goes on along the same curve.
 */
record LossCurve(double first, double floor, double bend, double exponent, Dice noise) {

    static LossCurve of(Dice dice, long steps) {
        return new LossCurve(
                dice.salted(1).between(2.2, 11.0),
                dice.salted(2).between(0.15, 1.9),
                Math.max(1, steps * dice.salted(3).between(0.01, 0.05)),
                dice.salted(4).between(0.5, 1.1),
                dice.salted(5));
    }

    double at(long step) {
        double fallen = StrictMath.pow(1 + step / bend, -exponent);
        double wobble = 1 + 0.06 * (noise.salted(step).unit() - 0.5) * (0.3 + fallen);
        return Math.round((floor + (first - floor) * fallen) * wobble * 1e4) / 1e4;
    }
}
