import { Button } from '@mantine/core'
import { asProblem, type FieldError, type Problem } from '~/api/problem'
import { useI18n, type Translate } from '~/i18n'
import styles from './feedback.module.css'

/** What went wrong, what was not lost, and what to try; `hide`: fields that show what is wrong with them themselves. */
export function ProblemPanel({
  error,
  retry,
  hide = [],
}: {
  error: unknown
  retry?: () => void
  hide?: readonly string[]
}) {
  const { t } = useI18n()
  const problem = asProblem(error)
  const listed = problem.errors.filter((e) => !shownAt(hide, e.field) && !isSaid(e, problem.detail))
  // What stands at its field already is not said twice.
  if (problem.errors.length > 0 && problem.errors.every((e) => shownAt(hide, e.field))) return null
  return (
    <div className={styles.problem} role="alert">
      <h2>{headline(problem, t)}</h2>
      <p>{advice(problem, t)}</p>
      {listed.length > 0 && (
        <ul>
          {listed.map((e, i) => (
            <li key={i}>
              <span className="mono">{e.field}</span> {e.message}
            </li>
          ))}
        </ul>
      )}
      {retry && (
        <div className={styles.problemAction}>
          <Button size="xs" onClick={retry}>
            {t('problem.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A single fault is the detail itself, with its field's name or without. */
function isSaid({ field, message }: FieldError, detail: string): boolean {
  return [message, `${field}: ${message}`, `${field} ${message}`].includes(detail)
}

/** `imageAllowlist[0]` is shown at `imageAllowlist`, `shapes[1].gpus` at `shapes.gpus`. */
function shownAt(fields: readonly string[], field: string): boolean {
  return fields.includes(field.replace(/\[\d+\]/g, ''))
}

function headline(problem: Problem, t: Translate): string {
  if (problem.kind === 'client') return t('problem.client')
  if (problem.status === 0) return t('problem.offline')
  if (problem.status === 401) return t('problem.401')
  if (problem.status === 404) return t('problem.404')
  if (problem.status === 412) return t('problem.412')
  if (problem.status === 429) return t('problem.429')
  if (problem.status >= 500) return t('problem.500')
  return problem.title || t('problem.400')
}

function advice(problem: Problem, t: Translate): string {
  if (problem.kind === 'client') return t('problem.client.advice', { what: problem.detail })
  if (problem.status === 0) return t('problem.offline.advice')
  if (problem.status >= 500) return t('problem.500.advice')
  return problem.detail
}

/** One line for a notification. */
export function sayProblem(error: unknown, t: Translate): string {
  const problem = asProblem(error)
  const said = advice(problem, t)
  return said || headline(problem, t)
}
