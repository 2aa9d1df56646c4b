import type { NodeView, TeamView } from '~/api/types'

const SHOWN = 5

/** Nodes and teams whose name holds the words; those that begin with them come first. */
export function found(q: string, nodes: readonly NodeView[], teams: readonly TeamView[]) {
  const wanted = q.toLowerCase().replaceAll(/\s*\/\s*/g, '/')
  if (wanted === '') return { nodes: [], teams: [] }
  return {
    nodes: best(nodes, (n) => n.id, wanted),
    teams: best(
      teams.filter((team) => !team.archived),
      (team) => team.path,
      wanted,
    ),
  }
}

function best<X>(all: readonly X[], nameOf: (x: X) => string, wanted: string): X[] {
  return all
    .map((x) => ({ x, name: nameOf(x), at: nameOf(x).toLowerCase().indexOf(wanted) }))
    .filter((each) => each.at >= 0)
    .sort((a, b) => a.at - b.at || a.name.localeCompare(b.name, 'en', { numeric: true }))
    .slice(0, SHOWN)
    .map((each) => each.x)
}
