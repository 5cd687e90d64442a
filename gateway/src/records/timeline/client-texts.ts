/** The text of each event for the client, in English and Korean, without routes, lanes and the carrier's message ids. */
import type { Language } from '../../channels/report-meaning.ts'
import type { TimelineEvent } from './event.ts'

type Describe = (event: TimelineEvent) => string
type ClientKind = Exclude<TimelineEvent['kind'], 'routed' | 'ended'>

/** Returns an empty string for a message of one part, and for part 0, which stands for all parts at once. */
const describePart = ({ details }: TimelineEvent, describe: (part: string, all: string) => string): string =>
  typeof details.parts === 'number' && details.parts > 1 && Number(details.part) > 0
    ? describe(String(details.part), String(details.parts))
    : ''

const choose = (value: unknown, texts: Readonly<Record<string, string>>, otherwise: string): string =>
  texts[String(value)] ?? otherwise

export const clientTexts: Readonly<Record<Language, Readonly<Record<ClientKind, Describe>>>> = {
  en: {
    accepted: () => 'Accepted',
    held: ({ details }) =>
      choose(
        details.reason,
        {
          scheduled: 'Waiting for its scheduled send time',
          retry: 'The carrier did not accept it; it will be submitted again',
          rule: 'Waiting for a time at which it may be sent',
        },
        'Waiting in the queue',
      ),
    submitted: (event) =>
      describePart(event, (part, all) => `Part ${part} of ${all}: `) +
      choose(
        event.details.outcome,
        { accepted: 'Submitted to the carrier', refused: 'Rejected by the carrier' },
        'Submitted to the carrier, which has not responded; the outcome is known when its receipt arrives',
      ),
    receipt: ({ details }) =>
      (details.result === 'delivered'
        ? 'The carrier reported it delivered'
        : 'The carrier reported that it failed') +
      (details.late === true ? '; it arrived too late to change the outcome' : '') +
      (details.deliveredTwice === true
        ? '; the recipient received another step of this message as well'
        : ''),
    deadline: () => 'The deadline passed without an outcome',
    fallback: ({ details }) => `Falling back to the next step: ${String(details.channel)}`,
    parked: () => 'Waiting for the operator, who has been alerted',
    open: () => 'The outcome is still unknown',
    closed: ({ details }) => `Closed with ${String(details.code)}`,
  },
  ko: {
    accepted: () => '접수되었습니다',
    held: ({ details }) =>
      choose(
        details.reason,
        {
          scheduled: '예약된 발송 시각을 기다리고 있습니다',
          retry: '통신사가 접수하지 않아 다시 전송합니다',
          rule: '보낼 수 있는 시각을 기다리고 있습니다',
        },
        '발송 순서를 기다리고 있습니다',
      ),
    submitted: (event) =>
      describePart(event, (part, all) => `${all}건 중 ${part}번째: `) +
      choose(
        event.details.outcome,
        { accepted: '통신사에 전송했습니다', refused: '통신사가 접수를 거절했습니다' },
        '통신사에 전송했으나 응답이 없습니다. 전달 결과가 오면 확인할 수 있습니다',
      ),
    receipt: ({ details }) =>
      (details.result === 'delivered'
        ? '통신사로부터 전달 성공 결과를 받았습니다'
        : '통신사로부터 전달 실패 결과를 받았습니다') +
      (details.late === true ? '. 이미 종료된 단계여서 최종 결과는 바뀌지 않습니다' : '') +
      (details.deliveredTwice === true ? '. 수신자가 이 메시지를 다른 단계로도 받았습니다' : ''),
    deadline: () => '제한 시간 안에 결과를 받지 못했습니다',
    fallback: ({ details }) => `다음 단계로 대체 발송합니다: ${String(details.channel)}`,
    parked: () => '운영자의 확인을 기다리고 있습니다',
    open: () => '아직 결과를 알 수 없습니다',
    closed: ({ details }) => `${String(details.code)} 코드로 종료되었습니다`,
  },
}

/** What a client should do while a message has no outcome. */
export const openAction: Readonly<Record<Language, string>> = {
  en: 'Wait for the report.',
  ko: '리포트가 올 때까지 기다리십시오.',
}
