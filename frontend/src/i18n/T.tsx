import { Fragment, isValidElement, type ReactNode } from 'react'
import { catalogues, type Key } from './catalogues'
import { choose, parts } from './message'
import { useI18n } from './provider'

/** A message of the catalogue as elements: marked parts become bold, monospaced or dim, and values may be elements. */
export function T({ k, v = {} }: { k: Key; v?: Readonly<Record<string, ReactNode>> }) {
  const { language, number } = useI18n()
  const shown: Record<string, ReactNode> = {}
  for (const [name, value] of Object.entries(v))
    // A name or a person's words, in whichever script: it must not turn the sentence around it.
    shown[name] =
      typeof value === 'number' ? number(value) : typeof value === 'string' ? <bdi>{value}</bdi> : value
  const text = choose(language, catalogues[language][k], v.n)
  return parts<ReactNode>(text, shown as Record<string, string | ReactNode>).map((part, i) => (
    <Fragment key={i}>{marked(part.mark, part.value)}</Fragment>
  ))
}

function marked(mark: 'plain' | 'b' | 'm' | 'd', value: ReactNode): ReactNode {
  const inner = typeof value === 'string' || isValidElement(value) ? value : String(value)
  if (mark === 'b') return <b>{inner}</b>
  if (mark === 'm') return <bdi className="mono">{inner}</bdi>
  if (mark === 'd') return <span className="dimmer">{inner}</span>
  return inner
}
