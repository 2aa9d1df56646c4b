import { describe, expect, it } from 'vitest'
import type { Cell, NodeView } from '~/api/types'
import { blocksOf, fragmentation, holdings } from './layout'

const levels = (names: string) => ({ levels: names.split(' ').map((name) => ({ name, label: name })) })

function node(path: string, gpus = '........', of: Partial<NodeView> = {}): NodeView {
  const domain = path.split('/')
  const statuses: Record<string, Cell['status']> = { '.': 'free', r: 'reserved', x: 'broken', f: 'foreign' }
  const cells = [...gpus].map((c): Cell =>
    statuses[c] ? { status: statuses[c] } : { status: 'busy', team: c },
  )
  return {
    id: domain.at(-1) ?? '',
    pool: 'p',
    gpuType: 'g',
    domain,
    total: cells.length,
    free: cells.filter((c) => c.status === 'free').length,
    ready: true,
    takesReplicas: true,
    unschedulable: false,
    problems: [],
    cpuMillis: 0,
    memoryBytes: 0,
    seenAt: '',
    gpus: cells,
    ...of,
  }
}

describe('cluster map', () => {
  it('tells racks of the same name in two blocks apart', () => {
    const blocks = blocksOf(levels('block rack node'), [node('b2/r1/n1'), node('b1/r1/n2'), node('b1/r1/n1')])
    expect(blocks.map((b) => [b.name, b.racks.map((r) => r.nodes.map((n) => n.id))])).toEqual([
      ['b1', [['n1', 'n2']]],
      ['b2', [['n1']]],
    ])
  })

  it('keeps NVLink domains inside their rack', () => {
    const blocks = blocksOf(levels('block rack nvlink node'), [node('b1/r1/v1/n1'), node('b1/r1/v2/n2')])
    expect(blocks[0]?.racks.map((r) => r.nodes.length)).toEqual([2])
  })

  it('draws a pool that has nodes only', () => {
    const blocks = blocksOf(levels('node'), [node('n10'), node('n9')])
    expect(blocks).toMatchObject([{ name: null, total: 16 }])
    expect(blocks[0]?.racks[0]?.nodes.map((n) => n.id)).toEqual(['n9', 'n10'])
  })

  it('counts free GPUs that no whole-node gang can use', () => {
    const nodes = [node('r/n1'), node('r/n2', 'aaaaaa..'), node('r/n3', '........', { takesReplicas: false })]
    expect(fragmentation(nodes)).toEqual({ free: 10, scattered: 2 })
  })

  it('says who holds what', () => {
    expect(holdings([node('n1', 'aabrxf..'), node('n2', 'bb')])).toEqual({
      teams: [
        { team: 'b', gpus: 3 },
        { team: 'a', gpus: 2 },
      ],
      reserved: 1,
      free: 2,
      closed: 1,
      broken: 1,
    })
  })
})
