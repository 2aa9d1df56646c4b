import type { submit as english } from '../en/submit'
import type { Message } from '../message'

export const submit: Record<keyof typeof english, Message> = {
  'doc.server': 'رفضه الخادم',
  'doc.notMap': 'المهمة قائمة حقول، مثل “name: my-job”.',
  'doc.unknown': 'لا يوجد حقل بهذا الاسم.',
  'doc.reserved': 'غير مدعوم بعد.',
  'doc.bad.text': 'يجب أن يكون نصًا.',
  'doc.bad.whole': 'يجب أن يكون عددًا صحيحًا لا يقل عن 0.',
  'doc.bad.yesno': 'يجب أن يكون true أو false.',
  'doc.bad.duration': 'يجب أن يكون مدة، مثل 90s أو 15m أو 12h أو 2d.',
  'doc.bad.quantity': 'يجب أن يكون كمية، مثل 512Gi أو 80GB.',
  'doc.bad.amount': 'يجب أن يكون عدد معالجات مركزية.',
  'doc.bad.choice': 'ليست من الكلمات الممكنة.',
  'doc.bad.command': 'يجب أن يكون نصًا أو قائمة نصوص.',
  'doc.bad.texts': 'يجب أن يكون قائمة نصوص.',
  'doc.bad.map': 'يجب أن يكون أسماء بقيم نصية؛ ضع الأرقام بين علامتي اقتباس.',
  'doc.bad.object': 'يجب أن يكون مجموعة حقول.',
  'doc.bad.list': 'يجب أن يكون قائمة.',
  'doc.bad.any': 'هذا غير ممكن.',
}
