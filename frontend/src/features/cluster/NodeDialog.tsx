import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useNodeAction } from '~/api/actions'
import { T, useI18n } from '~/i18n'
import { parseDuration } from '~/shared/time'

export type NodeAsking = 'cordon' | 'drain' | 'confirm-gone'

/** Says what will happen to what runs there, and asks why. */
export function NodeDialog({
  asking,
  node,
  onClose,
}: {
  asking: NodeAsking
  node: string
  onClose: () => void
}) {
  const { t } = useI18n()
  const [why, setWhy] = useState('')
  const [deadline, setDeadline] = useState('30m')
  const act = useNodeAction(node)
  const bad = asking === 'drain' && parseDuration(deadline) === null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = asking === 'drain' ? { deadline, why: why.trim() } : { why: why.trim() }
    act.mutate({ action: asking, ...body }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={t(`node.ask.${asking}.title`, { node })}>
      <form onSubmit={submit}>
        <p className="dim">
          <T k={`node.ask.${asking}.means`} />
        </p>
        {asking === 'drain' && (
          <TextInput
            mt="sm"
            label={t('node.ask.deadline')}
            value={deadline}
            onChange={(e) => setDeadline(e.currentTarget.value)}
            error={bad ? t('doc.bad.duration') : undefined}
          />
        )}
        <TextInput
          mt="sm"
          label={t('bulk.why')}
          required={asking !== 'confirm-gone'}
          withAsterisk={false}
          data-autofocus
          value={why}
          onChange={(e) => setWhy(e.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md" gap={8}>
          <Button onClick={onClose}>{t('ask.leave')}</Button>
          <Button type="submit" variant="filled" loading={act.isPending} disabled={bad}>
            {t(`node.ask.${asking}.go`)}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
