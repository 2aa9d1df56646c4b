import { useQuery } from '@tanstack/react-query'
import { poolsQuery } from '~/api/queries'
import { useI18n } from '~/i18n'
import { sayLevel } from '~/shared/reasons'

/** The levels of all pools to choose from, without the node. */
export function useLevels() {
  const { t } = useI18n()
  const pools = useQuery(poolsQuery()).data ?? []
  return [...new Set(pools.flatMap((p) => p.levels.map((l) => l.name)))]
    .filter((level) => level !== 'node')
    .map((level) => ({ value: level, label: t('form.oneLevel', { level: sayLevel(level, t) }) }))
}
