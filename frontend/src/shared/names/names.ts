import type { Shape } from '~/api/types'

/** `research/vision` as people read it: `research / vision`. */
export function sayPath(path: string): string {
  return path.split('/').join(' / ')
}

/** A topology domain by its path, without the names that a later one repeats: `b1/r1/b1-r1-n3` is `b1-r1-n3`. */
export function sayDomain(path: string): string {
  const names = path.split('/')
  return names
    .filter((name, i) => !names.slice(i + 1).some((later) => `-${later}-`.includes(`-${name}-`)))
    .join(' / ')
}

/** A node inside a place goes by the part of its name that the place does not say: `h100-b1-r3-n07` in `r3` is `n07`. */
export function shortNode(node: string, place: string | null | undefined): string {
  const last = place?.split('/').at(-1)
  if (!last) return node
  const at = `-${node}`.lastIndexOf(`-${last}-`)
  return at < 0 ? node : node.slice(at + last.length + 1)
}

/** The size of a gang: `4 × 8`, and a sum when its groups differ. */
export function sayShape(shape: readonly Shape[]): string {
  return shape
    .map((g) => (g.replicas === 1 ? String(g.gpusEach) : `${g.replicas} × ${g.gpusEach}`))
    .join(' + ')
}
