import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useJobAction } from '~/api/actions'
import type { JobSummary } from '~/api/types'
import { T, useI18n } from '~/i18n'
import { isActive } from '~/shared/state'
import { parseDuration } from '~/shared/time'

export type Asking = 'cancel' | 'hold' | 'extend'

/** What an action means for the job, and the word that others will read. */
export function ActionDialog({
  asking,
  job,
  onClose,
}: {
  asking: Asking
  job: JobSummary
  onClose: () => void
}) {
  const { t } = useI18n()
  const [text, setText] = useState(asking === 'extend' ? '2h' : '')
  const act = useJobAction(job.id)
  const bad = asking === 'extend' && parseDuration(text) === null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const why = text.trim() || undefined
    act.mutate(asking === 'extend' ? { do: 'extend', by: text.trim() } : { do: asking, why }, {
      onSuccess: onClose,
    })
  }
  const name = job.name ?? String(job.id)
  return (
    <Modal opened onClose={onClose} title={t(`ask.${asking}.title`, { name })}>
      <form onSubmit={submit}>
        <p className="dim">
          <T
            k={
              asking === 'extend'
                ? 'ask.extend.means'
                : isActive(job.state)
                  ? `ask.${asking}.active`
                  : `ask.${asking}.waiting`
            }
          />
        </p>
        <TextInput
          mt="sm"
          data-autofocus
          label={t(asking === 'extend' ? 'ask.extend.by' : 'bulk.why')}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          error={bad ? t('doc.bad.duration') : undefined}
        />
        <Group justify="flex-end" mt="md" gap={8}>
          <Button onClick={onClose}>{t('ask.leave')}</Button>
          <Button
            type="submit"
            variant="filled"
            color={asking === 'cancel' ? 'red' : undefined}
            loading={act.isPending}
            disabled={bad}
          >
            {t(`ask.${asking}.go`)}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
