import { Link } from '@tanstack/react-router'
import { useI18n } from '~/i18n'
import { Empty } from '~/shared/feedback'

export function NotFound() {
  const { t } = useI18n()
  return (
    <Empty title={t('notfound.title')} action={<Link to="/">{t('notfound.go')}</Link>}>
      {t('notfound.advice')}
    </Empty>
  )
}
