import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { T, useI18n } from '~/i18n'

/** A link by which somebody chooses a password; it is shown once and works once. */
export function LinkDialog({ who, path, onClose }: { who: string; path: string; onClose: () => void }) {
  const { t } = useI18n()
  const clipboard = useClipboard()
  const link = new URL(path, location.origin).href
  return (
    <Modal opened onClose={onClose} title={t('people.linkFor', { who })} closeOnClickOutside={false}>
      <p className="dim">
        <T k="people.link.once" />
      </p>
      <TextInput
        mt="sm"
        readOnly
        value={link}
        aria-label={t('people.linkFor', { who })}
        onFocus={(e) => e.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        data-autofocus
      />
      <Group justify="flex-end" mt="md" gap={8}>
        <Button onClick={() => clipboard.copy(link)}>{t(clipboard.copied ? 'copied' : 'copy')}</Button>
        <Button variant="filled" onClick={onClose}>
          {t('tokens.kept')}
        </Button>
      </Group>
    </Modal>
  )
}
