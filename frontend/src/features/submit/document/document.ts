import { LineCounter, isCollection, isNode, isScalar, parseDocument, type Document } from 'yaml'
import type { Key } from '~/i18n'
import { JOB, RESERVED, holds, isMap, type Shape } from './shape'

export type Path = readonly (string | number)[]

/** Something wrong with the document, at a place of its text. */
export interface Finding {
  path: Path
  /** A key of the catalogue, or a sentence of the server when `said` is set. */
  message: Key
  said?: string
  from: number
  to: number
  /** From 1; 0: it lacks a place, as what is missing does. */
  line: number
}

/** A job document as text, and what the text says. The text is the one truth: the form is a view of it. */
export interface JobDocument {
  text: string
  value: Record<string, unknown>
  /** False when the text is not YAML: then `value` is empty and the form cannot be used. */
  readable: boolean
  findings: Finding[]
}

export function read(text: string): JobDocument {
  const { doc, lines } = parse(text)
  if (doc.errors.length > 0)
    return { text, value: {}, readable: false, findings: syntaxErrors(doc, lines, text) }
  const value = plain(doc)
  if (!isMap(value)) {
    return { text, value: {}, readable: false, findings: [finding([], 'doc.notMap', 0, text.length, lines)] }
  }
  const findings: Finding[] = []
  walk(JOB, value, [], (path, message) => findings.push(locate(doc, lines, path, message)))
  return { text, value, readable: true, findings }
}

/** The text after one field was set in the form; comments, order and style of everything else stay. */
export function withField(text: string, path: Path, value: unknown): string {
  const { doc } = parse(text)
  if (doc.errors.length > 0) return text
  if (doc.contents === null) doc.contents = doc.createNode({}) as never
  if (isBlank(value)) removeField(doc, path)
  else setField(doc, path, value)
  const out = doc.toString({ lineWidth: 0, flowCollectionPadding: false })
  return out.trim() === '{}' ? '' : out
}

/** Findings of the server, put at the fields that it names (`resources.gpus`, `data[0].at` or `/data/0/at`). */
export function locateFields(text: string, errors: readonly { field: string; message: string }[]): Finding[] {
  const { doc, lines } = parse(text)
  return errors.map(({ field, message }) => ({
    ...locate(doc, lines, pathOf(field), 'doc.server'),
    said: message,
  }))
}

export function pathOf(field: string): Path {
  const names = field.startsWith('/')
    ? field.slice(1).split('/')
    : field.replace(/\[(\d+)\]/g, '.$1').split('.')
  return names.filter((n) => n !== '' && n !== '$').map((n) => (/^\d+$/.test(n) ? Number(n) : n))
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i])
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Record<string | number, unknown>)[part]
  }
  return at
}

function parse(text: string) {
  const lines = new LineCounter()
  return { doc: parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: 'core' }), lines }
}

/** What the text says as plain values; null when its aliases would blow up. */
function plain(doc: Document.Parsed): unknown {
  if (doc.contents === null) return {}
  try {
    return doc.toJS({ maxAliasCount: 50 })
  } catch {
    return null
  }
}

function syntaxErrors(doc: Document.Parsed, lines: LineCounter, text: string): Finding[] {
  return doc.errors.map((e) => {
    const [from, to] = e.pos
    return {
      ...finding([], 'doc.server', from, Math.min(text.length, Math.max(to, from + 1)), lines),
      said: e.message,
    }
  })
}

function finding(path: Path, message: Key, from: number, to: number, lines: LineCounter): Finding {
  return { path, message, from, to, line: lines.linePos(from).line }
}

/** The place of a path, or of the nearest thing above it that exists. */
function locate(doc: Document.Parsed, lines: LineCounter, path: Path, message: Key): Finding {
  for (let depth = path.length; depth > 0; depth--) {
    const range = rangeOf(doc, path.slice(0, depth))
    if (range) return finding(path, message, range[0], range[1], lines)
  }
  return { path, message, from: 0, to: 0, line: 0 }
}

function rangeOf(doc: Document.Parsed, path: Path): [number, number] | null {
  const parent = path.length === 1 ? doc.contents : doc.getIn(path.slice(0, -1), true)
  if (!isCollection(parent)) return null
  const last = path.at(-1)
  for (const item of parent.items) {
    if ('key' in (item as object)) {
      const { key, value } = item as { key: unknown; value: unknown }
      if (!isScalar(key) || String(key.value) !== String(last)) continue
      const node = isNode(value) && value.range ? value : key
      return node.range ? [node.range[0], node.range[1]] : null
    }
  }
  const node = doc.getIn(path, true)
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : null
}

function setField(doc: Document.Parsed, path: Path, value: unknown): void {
  const old = doc.getIn(path, true)
  const keepFlow = isCollection(old) && old.flow
  const node = doc.createNode(value)
  if (isCollection(node)) node.flow = isCollection(old) ? keepFlow : flat(value)
  if (isScalar(old) && isScalar(node)) old.value = node.value
  else doc.setIn(path, node)
}

/** Short lists of plain values are written on one line, as people write them. */
function flat(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each !== 'object')
}

/** Removes a field, and the objects above it that become empty. */
function removeField(doc: Document.Parsed, path: Path): void {
  if (!doc.hasIn(path)) return
  doc.deleteIn(path)
  const above = path.slice(0, -1)
  const parent = above.length > 0 ? doc.getIn(above, true) : null
  if (isCollection(parent) && parent.items.length === 0) removeField(doc, above)
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isMap(value) && Object.keys(value).length === 0)
  )
}

function walk(shape: Shape, value: unknown, path: Path, report: (path: Path, message: Key) => void): void {
  if (value === null || value === undefined) return
  if (!holds(shape, value)) {
    report(path, `doc.bad.${shape.is}`)
    return
  }
  if (shape.is === 'object') {
    for (const [name, each] of Object.entries(value as Record<string, unknown>)) {
      const inner = shape.fields[name]
      if (inner) walk(inner, each, [...path, name], report)
      else report([...path, name], path.length === 0 && RESERVED.has(name) ? 'doc.reserved' : 'doc.unknown')
    }
  }
  if (shape.is === 'list')
    (value as unknown[]).forEach((each, i) => walk(shape.each, each, [...path, i], report))
}
