import { Fragment, type ReactNode } from 'react'
import { T, useI18n } from '~/i18n'
import { JobLink, TeamName } from '~/shared/names'
import { Instant, Since } from '~/shared/time'
import { sayFailure, sayLevel } from './plain'
import type { Piece, Ref, Said } from './said'

/** Sentences with their numbers bold, jobs as links and times that tick. */
export function Says({ sentences }: { sentences: readonly Said[] }) {
  return sentences.map((s, i) => (
    <Fragment key={i}>
      {i > 0 && ' '}
      <Sentence said={s} />
    </Fragment>
  ))
}

function Sentence({ said }: { said: Said }) {
  const v: Record<string, ReactNode> = {}
  for (const [name, piece] of Object.entries(said.v)) v[name] = show(piece)
  return <T k={said.key} v={v} />
}

function show(piece: Piece): ReactNode {
  return typeof piece === 'object' ? <Shown of={piece} /> : piece
}

function Shown({ of: ref }: { of: Ref }): ReactNode {
  const { t } = useI18n()
  switch (ref.ref) {
    case 'job':
      return <JobLink id={ref.id} name={ref.name ?? t('why.job', { id: String(ref.id) })} team={ref.team} />
    case 'team':
      return <TeamName path={ref.path} />
    case 'level':
      return sayLevel(ref.level, t)
    case 'until':
      return <Since at={ref.at} until />
    case 'since':
      return <Since at={ref.at} />
    case 'at':
      return <Instant at={ref.at} />
    case 'failure':
      return sayFailure(ref.failure, t)
    case 'said':
      return <Sentence said={ref.said} />
    case 'list':
      return <Listed items={ref.items} more={ref.more} />
  }
}

function Listed({ items, more }: { items: readonly Ref[]; more: number }) {
  const all = (some: readonly Ref[]) =>
    some.map((item, i) => (
      <Fragment key={i}>
        {i > 0 && <T k="comma" />}
        <Shown of={item} />
      </Fragment>
    ))
  const last = items.at(-1)
  if (more > 0) return <T k="why.andMore" v={{ jobs: <>{all(items)}</>, n: more }} />
  if (!last || items.length < 2) return <>{all(items)}</>
  return <T k="why.and" v={{ a: <>{all(items.slice(0, -1))}</>, b: <Shown of={last} /> }} />
}
