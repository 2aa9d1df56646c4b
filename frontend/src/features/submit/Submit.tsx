import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { asProblem } from '~/api/problem'
import { jobQuery } from '~/api/queries'
import { useMe } from '~/app/session'
import { useI18n } from '~/i18n'
import { Loading, ProblemPanel } from '~/shared/feedback'
import { PageHead } from '~/shared/layout'
import { Workbench } from './Workbench'
import { withField } from './document/document'
import { loadDraft } from './draft'
import { TEMPLATES } from './templates'

/** Where the text comes from: a job to clone, a template, or what one was writing. */
export function Submit() {
  const { t } = useI18n()
  const { clone, template } = useSearch({ from: '/frame/submit' })
  const me = useMe()
  const source = useQuery({ ...jobQuery(clone ?? ''), enabled: clone !== undefined })
  const chosen = TEMPLATES.find((each) => each.id === template)?.text
  const head = <PageHead title={t('submit.title')} facts={[t('submit.sub')]} />
  if (clone !== undefined && !source.data) {
    return (
      <>
        {head}
        {source.isError ? <ProblemPanel error={asProblem(source.error)} /> : <Loading lines={8} />}
      </>
    )
  }
  const cloned = clone === undefined ? undefined : (source.data?.detail.yaml ?? undefined)
  const start = cloned ?? chosen ?? loadDraft()
  const mine = me.teams.find((team) => team.role !== 'VIEWER')?.path
  const text = /^team:/m.test(start) || !mine ? start : withField(start, ['team'], mine)
  return (
    <>
      {head}
      <Workbench key={`${clone ?? ''} ${template ?? ''}`} start={text} />
    </>
  )
}
