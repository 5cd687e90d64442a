/**
 * What a client is told of each event, in its language. Routes, lanes, ids at the carrier and our own doings are ours: the
 * client is told what they mean for its message. The carrier's code is told, because a carrier's support asks for it.
 */
import type { Language } from '../../channels/report-meaning.ts'
import type { TimelineEvent } from './event.ts'

type Tell = (event: TimelineEvent) => string
type ClientKind = Exclude<TimelineEvent['kind'], 'routed' | 'ended'>

const parts = ({ details }: TimelineEvent, of: (part: string, all: string) => string): string =>
  typeof details.parts === 'number' && details.parts > 1
    ? of(String(details.part), String(details.parts))
    : ''

const choose = (value: unknown, texts: Readonly<Record<string, string>>, otherwise: string): string =>
  texts[String(value)] ?? otherwise

export const clientTexts: Readonly<Record<Language, Readonly<Record<ClientKind, Tell>>>> = {
  en: {
    accepted: () => 'Accepted',
    held: ({ details }) =>
      choose(
        details.reason,
        {
          scheduled: 'Waits for the time it is to be sent at',
          retry: 'The carrier did not take it; it is tried again',
        },
        'Waits for its turn',
      ),
    submitted: (event) =>
      parts(event, (part, all) => `Part ${part} of ${all}: `) +
      choose(
        event.details.outcome,
        {
          accepted: 'Handed to the carrier',
          refused: 'Refused by the carrier',
        },
        'Handed to the carrier, which has not answered; only its receipt can tell',
      ),
    receipt: ({ details }) =>
      (details.result === 'delivered'
        ? 'The carrier reports it delivered'
        : 'The carrier reports that it failed') +
      (details.late === true ? '; too late to change the outcome' : '') +
      (details.deliveredTwice === true ? '; the recipient has another step of this message too' : ''),
    deadline: () => 'The time allowed passed without an outcome',
    fallback: ({ details }) => `The next step begins: ${String(details.channel)}`,
    parked: () => 'Waits for the operator, who has been told',
    open: () => 'Its outcome is not known yet',
    closed: ({ details }) => `Closed with ${String(details.code)}`,
  },
  ko: {
    accepted: () => '접수되었습니다',
    held: ({ details }) =>
      choose(
        details.reason,
        {
          scheduled: '예약된 발송 시각을 기다리고 있습니다',
          retry: '통신사가 받지 않아 다시 시도합니다',
        },
        '발송 순서를 기다리고 있습니다',
      ),
    submitted: (event) =>
      parts(event, (part, all) => `${all}건 중 ${part}번째: `) +
      choose(
        event.details.outcome,
        {
          accepted: '통신사에 전달했습니다',
          refused: '통신사가 거절했습니다',
        },
        '통신사에 전달했으나 응답이 없어 결과 수신으로만 확인할 수 있습니다',
      ),
    receipt: ({ details }) =>
      (details.result === 'delivered'
        ? '통신사가 전송 완료를 알려 왔습니다'
        : '통신사가 전송 실패를 알려 왔습니다') +
      (details.late === true ? '. 이미 종료되어 결과는 바뀌지 않습니다' : '') +
      (details.deliveredTwice === true ? '. 수신자는 이 메시지의 다른 단계도 받았습니다' : ''),
    deadline: () => '허용된 시간 안에 결과가 오지 않았습니다',
    fallback: ({ details }) => `다음 단계를 시작합니다: ${String(details.channel)}`,
    parked: () => '운영자의 확인을 기다리고 있습니다',
    open: () => '아직 결과를 알 수 없습니다',
    closed: ({ details }) => `${String(details.code)} 코드로 종료되었습니다`,
  },
}

export const waitOn: Readonly<Record<Language, string>> = {
  en: 'Wait: its report comes by itself.',
  ko: '기다리시면 리포트가 전달됩니다.',
}
