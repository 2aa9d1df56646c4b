import type { ReasonView } from '~/api/types'
import { T, useI18n, type Key, type Translate } from '~/i18n'
import { Card } from '~/shared/layout'
import { Says, sayReason } from '~/shared/reasons'
import { PlainTable } from '~/shared/table'

/** Everything else in its way, for those who want the table. */
export function OtherBlockers({ reasons }: { reasons: readonly ReasonView[] }) {
  const { t } = useI18n()
  return (
    <Card title={t('waiting.others')}>
      <PlainTable
        label={t('waiting.others')}
        columns={[
          { header: <T k="waiting.what" /> },
          { header: <T k="waiting.needs" /> },
          { header: <T k="waiting.thereIs" /> },
          { header: <T k="waiting.inWords" />, narrow: false },
        ]}
        rows={reasons.map((reason, i) => ({
          key: `${reason.kind} ${i}`,
          cells: [
            <span key="w" className="nowrap">
              {t(`what.${reason.kind}` as Key)}
            </span>,
            <span key="n" className="mono nowrap">
              {needs(reason, t)}
            </span>,
            <span key="t" className="mono nowrap">
              {thereIs(reason, t)}
            </span>,
            <span key="s" className="dim">
              <Says sentences={sayReason(reason)} />
            </span>,
          ],
        }))}
      />
    </Card>
  )
}

export function needs(r: ReasonView, t: Translate): string {
  if (r.replicasWanted != null && r.gpusEach != null) return `${r.replicasWanted} × ${r.gpusEach}`
  if (r.kind === 'priority') return t('what.place', { n: 1 })
  return r.gpusWanted == null ? '' : String(r.gpusWanted)
}

export function thereIs(r: ReasonView, t: Translate): string {
  switch (r.kind) {
    case 'team-limit':
    case 'user-limit':
      return left(r.limit, r.inUse, t)
    case 'quota-in-use':
      return left(r.deserved, r.inUse, t)
    case 'guarantee-in-use':
      return left(r.guaranteed, r.inUse, t)
    case 'priority':
      return t('what.place', { n: r.place ?? 0 })
    case 'topology':
    case 'fragmentation':
      return t('what.replicas', { n: r.replicasFit ?? 0 })
    case 'never-fits':
      return String(r.largestGpus ?? 0)
    default:
      return r.gpusFree == null ? '' : String(r.gpusFree)
  }
}

function left(of: number | null | undefined, used: number | null | undefined, t: Translate): string {
  return of == null ? '' : t('what.left', { left: Math.max(0, of - (used ?? 0)), of })
}
