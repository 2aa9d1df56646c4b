import type { events as english } from '../en/events'
import type { Message } from '../message'

export const events: Record<keyof typeof english, Message> = {
  'event.reason': 'السبب: {reason}.',
  'event.submitted': 'أرسلها {who}.',
  'event.planned': {
    one: 'وُضعت على عقدة، {place}.',
    two: 'وُضعت على عقدتين في {place}.',
    other: 'وُضعت على {n} عقد في {place}.',
  },
  'event.allRun': 'كل النسخ تعمل.',
  'event.allSucceeded': 'نجحت كل النسخ.',
  'event.podsGone': 'زالت حاوياتها.',
  'event.saved': 'حفظت الخطوة {step}.',
  'event.finished': 'قال البرنامج إنه انتهى.',
  'event.signalRefused': 'تعذّر طلب الحفظ: {message}',
  'event.deadline': 'لم تحفظ في الوقت فأوقفت.',
  'event.drained': 'تُفرغ العقدة {node}.',
  'event.setAside': 'نُحّيت جانبًا: على شخص أن ينظر فيها.',
  'event.hangSuspected': 'لم يصدر عنها شيء منذ {minutes} دقيقة: لعلها علقت.',
  'event.hangOver': 'عادت تُسمع من جديد.',
  'event.reclaimed': 'طُلب منها التنحي عن {gpus} لفريق دون حصته؛ ويعاد {hours} ساعة معالج.',
  'event.preempted': 'طُلب منها التنحي عن {gpus} لمهمة أعلى أولوية؛ ويعاد {hours} ساعة معالج.',
  'event.acrossTeams':
    'طُلب منها التنحي عن {gpus} لمهمة لها الأسبقية في الفرق الأخرى؛ ويعاد {hours} ساعة معالج.',
  'event.moves': 'تنتقل لإفساح المجال للمهمة {job}: لها مكان محجوز على {nodes} وتتابع فيه من نقطة حفظها.',
  'event.backfill': 'طُلب منها إعادة {gpus} كانت محفوظة لمهمة أخرى؛ ويعاد {hours} ساعة معالج.',
  'event.walltime': 'انقضى وقتها؛ طُلب منها أن تحفظ وتتوقف.',
  'event.reserved': {
    one: 'حُفظ لها {gpus} على عقدة.',
    two: 'حُفظ لها {gpus} على عقدتين.',
    other: 'حُفظ لها {gpus} على {n} عقد.',
  },
  'event.reservationChanged': {
    one: 'يُحفظ لها الآن {gpus} على عقدة.',
    two: 'يُحفظ لها الآن {gpus} على عقدتين.',
    other: 'يُحفظ لها الآن {gpus} على {n} عقد.',
  },
  'event.reservationEnded': 'لم يعد يُحفظ لها شيء.',
  'event.cancelled': 'ألغاها {who}.',
  'event.held': 'علّقها {who}.',
  'event.heldFor': 'معلّقة من قبل؛ ذكر {who} سببًا آخر.',
  'event.released': 'أطلقها {who}.',
  'event.checkpoint': 'طلب {who} أن تحفظ.',
  'event.changed': 'غيّر {who} وثيقتها.',
  'event.failed': 'فشلت: {what}.',
  'event.failedReplica': 'فشلت: {what}، أولًا في {replica}.',
}
