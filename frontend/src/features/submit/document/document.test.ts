import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { locateFields, pathOf, read, valueAt, withField } from './document'

const FULL = `name: llama-finetune            # a label, not an id
team: research/vision
image: images.example/train:1.4
command: [torchrun, train.py]
env: {LR: "3e-4"}
replicas: 4
resources: {gpus: 8, cpus: 64, memory: 512Gi, sharedMemory: 64Gi}
gpu: {types: [H100-SXM, A100-80GB]}
topology: {require: block, prefer: rack, patience: 10m}
walltime: 12h
preemptible: true
checkpoint: {by: sigterm, grace: 2m, every: 30m, path: /vision/ckpt}
retry: {onFailure: 1}
data: [{volume: imagenet, at: /data, readOnly: true}, {scratch: 500Gi, at: /scratch}]
labels: {project: clip}
`

describe('job document, from text to form', () => {
  it('accepts every field of the first day', () => {
    const doc = read(FULL)
    expect(doc.findings).toEqual([])
    expect(valueAt(doc.value, ['resources', 'gpus'])).toBe(8)
    expect(valueAt(doc.value, ['data', 1, 'scratch'])).toBe('500Gi')
  })

  it('accepts every field of a group', () => {
    const group =
      '{name: ps, replicas: 2, resources: {gpus: 0, cpus: 1.5}, image: a, command: x, workdir: /a, env: {A: b}}'
    expect(read(`name: a\ngroups: [${group}]\n`).findings).toEqual([])
  })

  it('writes a field of one group and leaves the others alone', () => {
    const text = 'groups:\n  - {name: a, replicas: 1} # first\n  - {name: b}\n'
    const next = withField(text, ['groups', 1, 'replicas'], 3)
    expect(parse(next)).toEqual({
      groups: [
        { name: 'a', replicas: 1 },
        { name: 'b', replicas: 3 },
      ],
    })
    expect(next).toContain('# first')
  })

  it('names an unknown field at its line', () => {
    const [found, ...more] = read('name: a\nresources:\n  gpuz: 8\n').findings
    expect(more).toEqual([])
    expect(found).toMatchObject({ path: ['resources', 'gpuz'], message: 'doc.unknown', line: 3 })
  })

  it('tells what is reserved from what is unknown', () => {
    expect(read('secrets: [a]\n').findings[0]).toMatchObject({ message: 'doc.reserved' })
  })

  it.each([
    ['replicas: four\n', 'doc.bad.whole'],
    ['replicas: -1\n', 'doc.bad.whole'],
    ['walltime: tomorrow\n', 'doc.bad.duration'],
    ['resources: {memory: lots}\n', 'doc.bad.quantity'],
    ['preemptible: "maybe"\n', 'doc.bad.yesno'],
    ['checkpoint: {by: fax}\n', 'doc.bad.choice'],
    ['env: {LR: 3}\n', 'doc.bad.map'],
    ['resources: 8\n', 'doc.bad.object'],
  ])('refuses %j', (text, message) => {
    expect(read(text).findings.map((f) => f.message)).toEqual([message])
  })

  it('puts a syntax error at its line, and reads nothing', () => {
    const doc = read('name: a\nenv: {LR: "3e-4"\nreplicas: 2\n')
    expect(doc.readable).toBe(false)
    expect(doc.findings[0]?.line).toBeGreaterThanOrEqual(2)
  })

  it('survives an alias bomb', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n`
    expect(read(bomb).readable).toBe(false)
  })

  it('is empty when the text is', () => {
    expect(read('')).toMatchObject({ value: {}, readable: true, findings: [] })
  })
})

describe('job document, from form to text', () => {
  it('changes one field and leaves comments, order and style alone', () => {
    const text = withField(FULL, ['replicas'], 6)
    expect(text).toContain('# a label, not an id')
    expect(text.split('\n').map((l) => l.split(':')[0])).toEqual(FULL.split('\n').map((l) => l.split(':')[0]))
    expect(parse(text)).toEqual({ ...(parse(FULL) as object), replicas: 6 })
  })

  it('adds a nested field', () => {
    expect(parse(withField('name: a\n', ['resources', 'gpus'], 8))).toEqual({
      name: 'a',
      resources: { gpus: 8 },
    })
  })

  it('removes a field, and what becomes empty with it', () => {
    expect(parse(withField('name: a\ntopology: {require: rack}\n', ['topology', 'require'], ''))).toEqual({
      name: 'a',
    })
  })

  it('starts from nothing and goes back to nothing', () => {
    const text = withField('', ['name'], 'a')
    expect(parse(text)).toEqual({ name: 'a' })
    expect(withField(text, ['name'], '')).toBe('')
  })

  it('quotes what would be read as something else', () => {
    for (const value of ['true', '12', '3e-4', 'null', '# x', 'a: b', ' x']) {
      expect(parse(withField('', ['name'], value))).toEqual({ name: value })
      expect(parse(withField('name: old\n', ['name'], value))).toEqual({ name: value })
    }
  })

  it('writes and reads the same for any order of edits', () => {
    const edits: [string[], unknown][] = [
      [['name'], 'x'],
      [['resources', 'gpus'], 8],
      [
        ['gpu', 'types'],
        ['H100-SXM', 'A100-80GB'],
      ],
      [['env'], { A: '1', B: 'two words' }],
      [['preemptible'], false],
    ]
    let text = ''
    for (const [path, value] of edits) text = withField(text, path, value)
    const doc = read(text)
    expect(doc.findings).toEqual([])
    for (const [path, value] of edits) expect(valueAt(doc.value, path)).toEqual(value)
  })

  it('does not touch a text that cannot be read', () => {
    expect(withField('a: [1', ['name'], 'x')).toBe('a: [1')
  })
})

describe('fields that the server names', () => {
  it.each([
    ['resources.gpus', ['resources', 'gpus']],
    ['data[0].at', ['data', 0, 'at']],
    ['/data/0/at', ['data', 0, 'at']],
    ['$.name', ['name']],
  ])('%s is a path', (field, path) => {
    expect(pathOf(field)).toEqual(path)
  })

  it('are put at their line, or at the nearest field above', () => {
    const [at, above] = locateFields(FULL, [
      { field: 'resources.gpus', message: 'too many' },
      { field: 'topology.slices', message: 'missing' },
    ])
    expect(at).toMatchObject({ line: 7, said: 'too many' })
    expect(FULL.slice(at?.from, at?.to)).toBe('8')
    expect(above).toMatchObject({ line: 9 })
    expect(locateFields(FULL, [{ field: 'nothing', message: 'is needed' }])[0]).toMatchObject({ line: 0 })
  })
})
