"""How fast reverse KL converges: the smallest curvature at the true target."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import around, old_share, quadrature
from forgetmap.theory.two_modes.dynamics.flow import flattened, flow, shaped
from forgetmap.theory.two_modes.laws.claim import BOTH, Axis, Claim, Curve, Figure, Shown, at_least, near, slope
from forgetmap.theory.two_modes.objectives.kl import reverse_kl
from forgetmap.theory.two_modes.observe import divergence
from forgetmap.theory.two_modes.terms import force
from forgetmap.theory.two_modes.world import World

STEP = 1e-5


def apart_rate(share: float) -> float:
    """The local rate where modes are well apart: a(1−a), that of the weight."""
    return share * (1 - share)


def weight_curvature_bound(share: float, distance: float) -> float:
    """Var_p(s) ≥ a(1−a) − ½ √(a(1−a))·BC: the Hessian's entry of the log odds."""
    return float(share * (1 - share) - 0.5 * np.sqrt(share * (1 - share)) * np.exp(-(distance**2) / 8))


def hessian(world: World) -> Floats:
    """Of reverse KL at the true target, in log odds and whitened means: differences of the exact force."""
    cloud, at, objective = quadrature(), flattened(world.true), reverse_kl(world, world.true)

    def descent(flat: Floats) -> Floats:
        learner = shaped(flat, world.dimensions)
        return flattened(force(objective(learner, cloud), learner, cloud))

    return np.stack([(descent(at - STEP * e) - descent(at + STEP * e)) / (2 * STEP) for e in np.eye(len(at))])


def _show(rng: np.random.Generator) -> Shown:
    distances = np.array([1.0, 1.5, 2, 3, 4, 5, 6, 8])
    smallest = np.array([float(np.linalg.eigvalsh(_even(hessian(World(distance=float(d)))))[0]) for d in distances])
    figures: list[Figure] = [near("smallest curvature at d = 8", smallest[-1], apart_rate(0.5), share=0.01)]
    for distance in (3.0, 5.0):
        world, rate = World(distance=distance), float(smallest[list(distances).index(distance)])
        times = np.linspace(8, 16, 17) / rate * 0.5
        learners = flow(reverse_kl(world, world.learner(0.4)), world.learner(0.4), times).learners
        measured = -slope(times, np.log(divergence(learners, world.true, quadrature())))
        figures.append(near(f"rate at which KL falls, d = {distance:g}", measured, 2 * rate, share=0.02))
    for distance in (2.0, 4.0):
        world, cloud = World(distance=distance, share=0.3), quadrature()
        bound = weight_curvature_bound(0.3, distance)
        figures.append(at_least(f"Var(s) at d = {distance:g}, a = .3", _variance(world, cloud.weights), bound))
    curve = Curve(
        "smallest curvature of reverse KL at the true target, a = .5",
        Axis("distance of the modes", "standard deviations", distances),
        Axis("smallest eigenvalue", "1/time", smallest),
        np.full(len(distances), apart_rate(0.5)),
    )
    return Shown(tuple(figures), (curve,))


def _even(matrix: Floats) -> Floats:
    return np.asarray((matrix + matrix.T) / 2)


def _variance(world: World, weights: Floats) -> float:
    cloud, p = quadrature(), world.true
    at_old, at_new = old_share(p, around(p.old, cloud)), old_share(p, around(p.new, cloud))
    a = world.share
    return float((a * at_old**2 + (1 - a) * at_new**2) @ weights - a**2)


CONDITIONING = Claim(
    says="Reverse KL converges exponentially to the true target, but only modes that are apart make its geometry well conditioned.",
    formula="L − L* ~ exp(−2λt), λ → a(1−a) as d grows;  Var_p(s) ≥ a(1−a) − ½ √(a(1−a))·BC",
    assumes="near the target; all parameters free",
    source=BOTH,
    show=_show,
)
