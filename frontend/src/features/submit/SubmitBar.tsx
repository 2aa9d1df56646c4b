import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { send } from '~/api/client'
import type { JobDetail } from '~/api/types'
import { useI18n } from '~/i18n'
import { ProblemPanel } from '~/shared/feedback'
import { dropDraft, newKey } from './draft'

export function SubmitBar({ text, fit }: { text: string; fit: boolean }) {
  const { t } = useI18n()
  const client = useQueryClient()
  const navigate = useNavigate()
  // One key per text: pressing twice, or after a lost answer, makes one job.
  const sent = useRef({ text: '', key: '' })
  const submit = useMutation({
    mutationFn: async () => {
      if (sent.current.text !== text) sent.current = { text, key: newKey() }
      const request = { method: 'POST', body: text, contentType: 'application/yaml' } as const
      return (await send<JobDetail>('/jobs', { ...request, idempotencyKey: sent.current.key })).data
    },
    onSuccess: async ({ job }) => {
      sent.current = { text: '', key: '' }
      dropDraft()
      void client.invalidateQueries({ queryKey: ['jobs'] })
      notifications.show({ message: t('submit.done', { id: String(job.id) }) })
      await navigate({ to: '/jobs/$id', params: { id: String(job.id) } })
    },
  })
  return (
    <>
      {submit.isError && <ProblemPanel error={submit.error} />}
      <Button
        variant="filled"
        size="md"
        fullWidth
        disabled={!fit || text.trim() === ''}
        loading={submit.isPending}
        onClick={() => submit.mutate()}
      >
        {t('submit.go')}
      </Button>
    </>
  )
}
